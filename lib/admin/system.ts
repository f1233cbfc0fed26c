/** What operators see of the service itself. No private part of a key, no secret of a setting. */
export type SystemState = {
  keys: {
    kid: string
    algorithm: string
    state: 'next' | 'current' | 'retired'
    currentFrom: Date
    goneAt: Date | undefined
  }[]
  /** The background jobs: which process holds each, and until when. */
  jobs: { name: string; holder: string; expiresAt: Date }[]
  /** The processes of the installation; `silent` is the number of seconds since the last heartbeat. */
  nodes: {
    id: string
    hostName: string
    pid: number
    version: string
    roles: string[]
    startedAt: Date
    clockAhead: number
    silent: number
    isAlive: boolean
    isDraining: boolean
  }[]
  /** Bounces of mail to people in the last day, and people whose mail is on hold. */
  mail: { bounces: number; onHold: number }
  settings: { name: string; value: string; isDefault: boolean }[]
}
