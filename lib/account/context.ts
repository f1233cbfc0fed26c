import type { ActivityStore } from '#lib/account/activity/activity'
import type { SessionsStore } from '#lib/account/sessions/store'
import type { SessionSite } from '#lib/account/signed-in/session'
import type { Letters } from '#lib/mail/letters'

/** The parts that every handler of the account needs; a handler that needs one more store adds it. */
export type AccountContext = SessionSite & {
  activity: ActivityStore
  letters: Letters
  sessions: Pick<SessionsStore, 'isOf'>
}
