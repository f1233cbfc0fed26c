import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../wire/client.ts'
import type { Answer } from '../wire/provider.ts'
import { formOf, type UserAgent } from '../wire/user-agent.ts'

/**
 * The tokens of one sign-in: the spent code, the last refresh token that was received, and the one before, with the
 * earliest time at which it may have been rotated.
 */
export type Chain = {
  code: string
  latest: string
  previous?: { token: string; rotatedAt: number }
  isRevoked: boolean
}

/** Below REFRESH_RETRY_SECONDS (30), after which a rotated token is a replay by design. */
const retryMs = 20_000

/** Everything that the installation has acknowledged. Nothing of it may be lost or done twice. */
export class Book {
  readonly chains: Chain[] = []
  readonly sessions: UserAgent[] = []
  readonly lost: string[] = []
  readonly doubled: string[] = []
  /** The number of acknowledged acts: sign-ins, exchanged codes, rotations, revocations. */
  acknowledged = 0

  /** Compares the installation with the book. The service must be available. */
  async check(client: Client): Promise<void> {
    await inGroups(this.chains, (chain) => this.#checkChain(client, chain))
    await inGroups(this.sessions, (agent) => this.#checkSession(agent))
    // A code shown again ends its tokens (RFC 6749 §4.1.2), so this comes last.
    await inGroups(this.chains, async ({ code }) => {
      const again = await answered(() => client.exchange({ code }))
      if (again.status === 200) this.doubled.push('a code was exchanged twice')
    })
  }

  async #checkChain(client: Client, { latest, previous, isRevoked }: Chain) {
    if (isRevoked) {
      const answer = await answered(() => client.refresh(latest))
      if (!isRefused(answer)) this.lost.push(`a revocation: ${show(answer)}`)
      return
    }
    if (previous && performance.now() - previous.rotatedAt < retryMs) {
      // Within REFRESH_RETRY_SECONDS, a rotated token returns its one successor.
      const answer = await answered(() => client.refresh(previous.token))
      if (answer.status !== 200) this.lost.push(`the retry of a rotation: ${show(answer)}`)
      else if (answer.json().refresh_token !== latest) this.doubled.push('a refresh token has two successors')
    }
    const answer = await answered(() => client.refresh(latest))
    if (answer.status !== 200) this.lost.push(`a refresh token: ${show(answer)}`)
  }

  async #checkSession(agent: UserAgent) {
    const page = await answered(() => agent.open('/account'))
    if (page.status !== 200 || formOf(page, '/signin/submit')) this.lost.push(`a session: ${page.status} ${page.url}`)
  }
}

export const isRefused = (answer: Answer): boolean => answer.status === 400 && answer.json().error === 'invalid_grant'
export const show = ({ status, text }: Answer): string => `${status} ${text.slice(0, 200)}`

/** Repeats a request that a busy node refuses: one that was suspended refuses everything for a second. */
async function answered<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + 8_000; ; await pause(100)) {
    const answer = await send()
    if (answer.status !== 503 || performance.now() > until) return answer
  }
}

/** Works on eight values at a time. */
async function inGroups<T>(values: readonly T[], work: (value: T) => Promise<void>) {
  for (let at = 0; at < values.length; at += 8) await Promise.all(values.slice(at, at + 8).map(work))
}
