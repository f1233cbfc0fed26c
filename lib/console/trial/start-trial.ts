import type { Outcome } from '#lib/account/account-form'
import { type AppSubmission, answerAppForm } from '#lib/console/app/app-form'
import { sha256 } from '#lib/crypto/hash'
import { sealRequest } from '#lib/flow/interaction'
import { browserOf } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import { type CheckedRequest, checkParameters, prompts } from '#lib/oauth/authorize/request'
import type { Client } from '#lib/oauth/client/client'
import { failureOf, type Pairs, sealForPerson, type TrialContext, trialMinutes, trialRedirectUri } from './trial.ts'

/** POST /console/app/try: starts a sign-in at the app with the member's own account (decision 0048). */
export const answerTrialStart = (context: TrialContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'try', section: 'try', action: 'app.try' }, (submission) =>
    startTrial(context, submission),
  )

async function startTrial(context: TrialContext, submission: AppSubmission): Promise<Outcome> {
  const { request, form, app, person, session } = submission
  const client = await context.oauth.store.findClient(app.id)
  // The page says that the app is closed.
  if (!client || app.disabledAt) return { problems: [] }
  const random = () => context.random(32).toString('base64url')
  const [state, nonce, verifier] = [random(), random(), random()]
  const api = form.get('resource') && (await context.teamApis.find(app.teamId, form.get('resource')))
  const parameters = [
    ...parametersOf(context, client, form, { state, nonce, challenge: sha256(verifier) }, api ? api.scopes : []),
    ...(api ? ([['resource', api.identifier]] as Pairs) : []),
  ]
  const checked = await checkTrial(context, client, parameters)
  const now = context.now()
  const stateHash = sha256(state)
  await context.trials.begin({
    personId: person.id,
    appId: app.id,
    stateHash,
    sessionId: session.firstId,
    startedAt: now,
    begun: sealForPerson(context, person.id, { parameters, verifier, nonce }),
    expiresAt: new Date(now.getTime() + trialMinutes * 60_000),
  })
  if (checked.kind !== 'accepted') {
    const outcome = { parameters, failure: failureOf('authorize', checked.error) }
    await context.trials.claim(stateHash, now)
    const until = new Date(now.getTime() + trialMinutes * 60_000)
    await context.trials.keepOutcome(stateHash, sealForPerson(context, person.id, outcome), until)
    return { problems: [] }
  }
  const trial = { personId: person.id, sessionId: session.firstId }
  const browser = browserOf(context, request)
  // Sealed for this browser at once: the request never passes the issuer's host, where it would be anyone's.
  const sealed = sealRequest(
    context,
    { browser: browser.hash },
    { request: { ...checked.request, trial }, progress: undefined },
  )
  return { answer: goTo(pathWith('/continue', { request: sealed }), [browser.setCookie]) }
}

type Secrets = { state: string; nonce: string; challenge: string }

/** Returns the parameters that the app would send for the chosen scopes, and for those of an API. */
function parametersOf(
  { config }: TrialContext,
  client: Client,
  form: AppSubmission['form'],
  { state, nonce, challenge }: Secrets,
  apiScopes: string[],
): Pairs {
  const chosen = form.all('scope')
  const prompt = prompts.find((one) => one === form.get('prompt'))
  return [
    ['response_type', 'code'],
    ['client_id', client.id],
    ['redirect_uri', trialRedirectUri(config)],
    [
      'scope',
      [...client.scopes.filter((scope) => scope === 'openid' || chosen.includes(scope)), ...apiScopes].join(' '),
    ],
    ['state', state],
    ['nonce', nonce],
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
    ...(prompt ? ([['prompt', prompt]] as Pairs) : []),
  ]
}

/**
 * Checks the request as the authorization endpoint does. The redirect URI counts as registered for this one check. The
 * console counts as a client that pushes and signs its requests: no one but this process sees the parameters.
 */
function checkTrial(context: TrialContext, client: Client, parameters: Pairs): Promise<CheckedRequest> {
  const registered = { ...client, redirectUris: [trialRedirectUri(context.config)] }
  // A refusal is shown to the member who tries; the app's recent failures are those of the app.
  const oauth = { ...context.oauth, refused: () => undefined }
  const sent = { values: new Map(parameters), repeated: undefined }
  return checkParameters(oauth, registered, sent, { isPushed: true, isSigned: true })
}
