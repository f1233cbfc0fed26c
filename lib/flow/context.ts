import type { SessionSite, SignInStore } from '#lib/account/signed-in/session'
import type { ConsentStore } from '#lib/oauth/consent/store'
import type { OAuthContext } from '#lib/oauth/context'

/** The parts that every handler of the flow needs; a handler that needs one more store adds it. */
export type FlowContext = SessionSite & {
  oauth: OAuthContext
  consents: ConsentStore
  signIn: Pick<SignInStore, 'hasSecondFactor'>
}
