import type { OwnApp } from '#lib/console/app/store'
import type { Act } from '#lib/console/audit/act'
import type { ProofState } from '#lib/console/domain/team-domain'

/** A domain that an app sends mail from, and the DNS record that proves it. */
export type AppMailDomain = {
  domain: string
  record: { name: string; type: 'TXT'; value: string }
  checkedAt: Date | undefined
  /** When the proof was last seen; undefined while the domain is not proven. */
  verifiedAt: Date | undefined
  /** When the domain stops being proven, if the last check did not see the proof. */
  losesProofAt: Date | undefined
}

/** A reason for which mail was refused. It names no person and no address. */
export type MailRefusal = { code: string; reason: string; results: string; count: number; lastAt: Date }

/** The mail of an app: its domains, and why messages were refused. */
export type AppMail = {
  listDomains(appId: string): Promise<AppMailDomain[]>
  /** Lists the latest refusals, newest first. */
  listRefusals(appId: string): Promise<MailRefusal[]>
  /** Adds a domain, unless the app has it, has `most` domains, or went to another team (`unknown`). */
  add(app: OwnApp, domain: string, most: number, act: Act): Promise<'added' | 'known' | 'enough' | 'unknown'>
  /** Looks up the proof of a domain and stores the result; undefined for a domain that the app does not have. */
  check(appId: string, domain: string): Promise<Exclude<ProofState, 'other'> | undefined>
  /** Removes a domain; false if it is gone. */
  remove(app: OwnApp, domain: string, act: Act): Promise<boolean>
}
