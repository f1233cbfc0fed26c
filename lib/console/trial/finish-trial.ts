import { currentSession } from '#lib/account/signed-in/session'
import { appPage } from '#lib/console/paths'
import { mayDo } from '#lib/console/roles'
import { sha256 } from '#lib/crypto/hash'
import { showProblem } from '#lib/http/problem-page'
import { goTo } from '#lib/http/redirect'
import { exchangeForTrial } from './exchange.ts'
import type { StoredTrial } from './store.ts'
import {
  openBegun,
  type Pairs,
  sealForPerson,
  type TrialContext,
  type TrialOutcome,
  trialMinutes,
  trialRedirectUri,
} from './trial.ts'

/**
 * GET /console/try/callback: takes the answer of a trial once, and redirects to the page that shows it. The answer must
 * come to the session and the person that started the trial; `state` names the trial and is known to their browser alone.
 */
export async function answerTrialCallback(context: TrialContext, request: Request): Promise<Response> {
  const answer = new URL(request.url).searchParams
  const found = await findOwnTrial(context, request, answer.get('state') ?? '')
  if (!found) return showProblem(context, { kind: 'unknown_trial' })
  const { trial, page } = found
  // A repeated answer shows the result of the first one.
  if (await context.trials.claim(trial.stateHash, context.now())) {
    const outcome = await finish(context, trial, pairsOf(answer))
    const until = new Date(context.now().getTime() + trialMinutes * 60_000)
    await context.trials.keepOutcome(trial.stateHash, sealForPerson(context, trial.personId, outcome), until)
  }
  return goTo(page)
}

/** Returns the trial of this session and person, while they may try the app. */
async function findOwnTrial(
  context: TrialContext,
  request: Request,
  state: string,
): Promise<{ trial: StoredTrial; page: string } | undefined> {
  const current = await currentSession(context, request.headers.get('cookie'))
  const trial = current && (await context.trials.findByState(sha256(state), context.now()))
  if (trial?.personId !== current?.person.id || trial?.sessionId !== current?.session.firstId) return undefined
  const app = trial && (await context.teamApps.find(trial.appId))
  const team = app && (await context.teams.findTeam(app.teamId, trial.personId))
  if (!trial || !app || !team || !mayDo(team.role, 'app.try')) return undefined
  return { trial, page: appPage(team.id, app.id, 'try') }
}

async function finish(context: TrialContext, trial: StoredTrial, answer: Pairs): Promise<TrialOutcome> {
  const begun = openBegun(context, trial.personId, trial.begun)
  const values = new Map(answer)
  const parameters = begun?.parameters ?? []
  const shown: TrialOutcome = { parameters, answer: answer.map(shorten) }
  const code = values.get('code')
  const client = await context.oauth.store.findClient(trial.appId)
  if (code === undefined || !begun || !client) {
    const [error = 'invalid_request', reason = ''] = [values.get('error'), values.get('error_description')]
    return { ...shown, failure: { endpoint: 'authorize', code: error, reason, detail: {} } }
  }
  const redirectUri = trialRedirectUri(context.config)
  const resource = new Map(parameters).get('resource')
  return { ...shown, ...(await exchangeForTrial(context, client, { ...begun, code, redirectUri, resource })) }
}

/** Returns the parameters of an answer that a page may show; a browser can send any number. */
const pairsOf = (answer: URLSearchParams): Pairs =>
  ['code', 'error', 'error_description', 'state', 'iss'].flatMap((name) => {
    const value = answer.get(name)
    return value === null ? [] : [[name, value.slice(0, 500)] as [string, string]]
  })

/** A code is spent when the page shows it, and still shown in part alone. */
const shorten = ([name, value]: [string, string]): [string, string] => [
  name,
  name === 'code' ? `${value.slice(0, 6)}…` : value,
]
