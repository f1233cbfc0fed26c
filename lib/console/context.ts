import type { AccountContext } from '#lib/account/context'
import type { TeamAppStore } from '#lib/console/app/store'
import type { ActStore } from '#lib/console/audit/act'
import type { FindTexts, TeamDomainStore } from '#lib/console/domain/team-domain'
import type { EventReceiverStore } from '#lib/console/events/store'
import type { FailureStore } from '#lib/console/failures/failure'
import type { AppMail } from '#lib/console/mail/app-mail'
import type { RegistrationStore } from '#lib/console/registration/store'
import type { TeamStore } from '#lib/console/team/store'
import type { TeamApiStore } from '#lib/console/team-apis/store'
import type { TokenStore } from '#lib/console/tokens/store'
import type { TransferStore } from '#lib/console/transfer/store'
import type { UsageStore } from '#lib/console/usage/store'

/** The parts that every handler of the console needs. */
export type ConsoleContext = AccountContext & {
  config: {
    /** Who may create teams: everyone, a person with an invitation of the operator, or the operator alone. */
    teams: 'open' | 'invite' | 'off'
    serviceName: string
    /** Whether http addresses on loopback are accepted. */
    evaluation: boolean
    /** Whether operators approve sensitive scopes (setting SENSITIVE_SCOPES). */
    reviewsScopes: boolean
  }
  teams: TeamStore
  teamApps: TeamAppStore
  teamApis: TeamApiStore
  transfers: TransferStore
  acts: ActStore
  appUsage: UsageStore
  failures: FailureStore
  tokens: TokenStore
  registrations: RegistrationStore
  teamDomains: TeamDomainStore
  findTexts: FindTexts
  eventReceivers: EventReceiverStore
  deliveries: {
    /** Starts the due deliveries to apps soon. */
    nudge(): void
  }
  appMail: AppMail
  teamLimits: {
    /** Counts one letter that invites to a team; returns the seconds to wait beyond the limits of sender or address, else 0. */
    letters: { take(personId: string, address: string): Promise<number> }
    /** Counts one offer of an app; returns the seconds to wait beyond the limit of the person, else 0. */
    offers: { take(personId: string): Promise<number> }
    /** Counts one replay of an app's security events; returns the seconds to wait beyond the limit of the app, else 0. */
    replays: { take(appId: string): Promise<number> }
    /** Counts one look-up of a DNS proof; returns the seconds to wait beyond the limits of person or team, else 0. */
    dnsChecks: { take(personId: string, teamId: string): Promise<number> }
  }
  /** Limits on requests with tokens of teams. Each counts one request, and returns the seconds to wait beyond the limit, else 0. */
  apiLimits: {
    addresses: { fail(address: string): Promise<number> }
    tokens: { fail(tokenId: string): Promise<number> }
  }
}
