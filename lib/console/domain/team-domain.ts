import type { Act } from '#lib/console/audit/act'

/** A domain that a team claims. It counts once DNS has shown the team's proof. */
export type TeamDomain = {
  teamId: string
  /** In A-labels and lower case. */
  domain: string
  proof: string
  createdAt: Date
  checkedAt: Date | undefined
  /** When the proof was last seen; undefined while the domain is not proven. */
  verifiedAt: Date | undefined
  /** Weekly checks in a row in which DNS answered without the record. */
  misses: number
  /** When the weekly check is due; undefined while the domain is not proven. */
  nextCheckAt: Date | undefined
}

/** What DNS shows: the record, other records at its name, none, or no answer (`trouble`). */
export type ProofState = 'found' | 'other' | 'missing' | 'trouble'

/** Looks up TXT records, each joined into one string; undefined if DNS gives no clear answer in time. */
export type FindTexts = (name: string) => Promise<string[] | undefined>

/** Stores the domains of teams. Every change writes its act in the same transaction. */
export type TeamDomainStore = {
  /** Lists the domains of a team by name. */
  list(teamId: string): Promise<TeamDomain[]>
  /** Adds a domain, unless the team has it or has `most` domains. */
  add(domain: TeamDomain, most: number, act: Act): Promise<'added' | 'known' | 'enough'>
  /** Removes a domain; false if it is gone. */
  remove(teamId: string, domain: string, act: Act): Promise<boolean>
  /** Lists at most `most` proven domains whose check is due, the longest overdue first. */
  listDue(now: Date, most: number): Promise<TeamDomain[]>
  /**
   * Stores the result of a check, if no other check was stored since the domain was read; false otherwise. Writes the act
   * where the result has one.
   */
  note(domain: TeamDomain, result: CheckResult, act: Act | undefined): Promise<boolean>
  /** Lists the owners of a team who can receive letters, and the team's name. */
  ownersOf(teamId: string, most: number): Promise<{ team: string; owners: Owner[] }>
}

export type CheckResult = Pick<TeamDomain, 'checkedAt' | 'verifiedAt' | 'misses' | 'nextCheckAt'>

type Owner = { username: string; email: string; locale: string }

/** Returns a new proof: 144 bits, in characters that keep their meaning in any case. */
export const makeProof = (random: (bytes: number) => Buffer): string => random(18).toString('hex')

/**
 * Returns the record that proves a domain. The record names the team, so that the owner of the domain sees what it
 * confirms, and several teams can prove one domain, each with its own record.
 */
export const proofRecord = ({ teamId, domain, proof }: Pick<TeamDomain, 'teamId' | 'domain' | 'proof'>) => ({
  name: `_postern-team.${domain}`,
  type: 'TXT' as const,
  value: `postern-team=${teamId}:${proof}`,
})
