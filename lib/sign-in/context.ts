import type { AccountContext } from '#lib/account/context'
import type { SignInStore } from '#lib/account/signed-in/session'
import type { AttemptStore } from '#lib/account/throttle/attempt'
import type { FlowContext } from '#lib/flow/context'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import type { SignUpStore } from '#lib/sign-in/sign-up/newcomer'

/** The parts that every sign-in needs; a handler that needs one more store adds it. */
export type SignInContext = FlowContext &
  AccountContext & { signIn: SignInStore; attempts: AttemptStore; factors: FactorStore; signUps: SignUpStore }

/** The parts that managing passkeys, the authenticator app and recovery codes needs. */
export type FactorContext = AccountContext & { factors: FactorStore }

/** Limits of operations that hash, counted before the hash; each returns the seconds to wait, or 0. */
export type HashLimits = {
  passwords: { take(personId: string, address: string): Promise<number> }
  codes: { take(personId: string, address: string): Promise<number> }
  /** Counts by person and browser, so that attempts in other browsers do not lock the owner out. */
  recoveries: { fail(key: string): Promise<number> }
}
