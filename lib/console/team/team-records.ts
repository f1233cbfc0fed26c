import type { Role } from '#lib/console/roles'

/** A team as the operator sees it. */
export type TeamRecord = {
  id: string
  name: string
  createdAt: Date
  /** Since when the operator has closed the team. */
  closedAt: Date | null
  /** By username. */
  members: { username: string; role: Role }[]
  apps: number
  apis: number
  invitations: number
}

/** The storage that the operator's commands about teams need. */
export type TeamRecords = {
  list(now: Date): Promise<TeamRecord[]>
  find(id: string, now: Date): Promise<TeamRecord | undefined>
  /** Returns all ids, to suggest one for a mistyped id. */
  ids(): Promise<string[]>
}
