import type { ConsoleContext } from '#lib/console/context'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import type { FlowContext } from '#lib/flow/context'
import type { ErrorCode, ErrorDetail, OAuthError } from '#lib/oauth/error'
import type { DecodedToken } from './decode-token.ts'
import type { TrialStore } from './store.ts'

/** The parts that a trial needs beside those of the console. */
export type TrialContext = ConsoleContext & FlowContext & { trials: TrialStore }

/** Minutes in which a member must finish a trial, and in which its result is shown. */
export const trialMinutes = 15

/** The parameters that a trial began with, and the secrets that its answer must fit. */
export type Begun = { parameters: Pairs; verifier: string; nonce: string }

/** Everything that the page shows about a finished trial. Never a whole token, code or secret. */
export type TrialOutcome = {
  parameters: Pairs
  answer?: Pairs
  exchange?: { sent: string; received: string }
  idToken?: DecodedToken
  accessToken?: DecodedToken
  userinfo?: { sent: string; claims: Record<string, unknown>; isSamePerson: boolean }
  isRevoked?: boolean
  failure?: TrialFailure
}

export type Pairs = [name: string, value: string][]

/** The refusal that ended a trial, as the app's recent failures name it. */
export type TrialFailure = {
  endpoint: string
  code: ErrorCode | string
  reason: string
  detail: ErrorDetail
}

export const failureOf = (endpoint: string, { code, reason, detail }: OAuthError): TrialFailure => ({
  endpoint,
  code,
  reason,
  detail,
})

/** The redirect URI of every trial. No app can use it: only a sealed request of the console names it (decision 0048). */
export const trialRedirectUri = ({ accountUrl }: { accountUrl: string }): string => `${accountUrl}/console/try/callback`

const kind: TokenKind = { purpose: 'seal-trial', seconds: 2 * trialMinutes * 60, longest: 200_000, isDeflated: true }

type Sealer = Pick<TrialContext, 'secrets' | 'now'>

/** Seals what a trial stores, for its person alone. */
export const sealForPerson = (sealer: Sealer, personId: string, value: Begun | TrialOutcome): string =>
  sealToken(sealer, kind, { person: personId }, value)

export const openBegun = (sealer: Sealer, personId: string, sealed: string) =>
  openToken<Begun>(sealer, kind, { person: personId }, sealed)

/** Returns the result of the person's last trial of an app; `running` while the answer is being handled. */
export async function readTrial(
  context: TrialContext,
  personId: string,
  appId: string,
): Promise<{ finishedAt: Date; outcome: TrialOutcome | undefined } | undefined> {
  const trial = await context.trials.findOfPerson(personId, appId, context.now())
  if (!trial?.finishedAt) return undefined
  const { finishedAt, outcome } = trial
  const opened = outcome ? openToken<TrialOutcome>(context, kind, { person: personId }, outcome) : undefined
  return { finishedAt, outcome: opened }
}
