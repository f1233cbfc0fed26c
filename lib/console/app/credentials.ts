import type { Outcome } from '#lib/account/account-form'
import { makeSecret, makeSecretId } from '#lib/apps/secret'
import type { ActKind } from '#lib/console/audit/act'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import type { PageForm } from '#lib/http/form'
import { type AppSubmission, answerAppForm } from './app-form.ts'
import { besideFields, declare } from './declare-app.ts'
import { keptKey, readKeyText } from './key-text.ts'
import type { TeamApp } from './store.ts'

/** Every form of this page needs a recent sign-in, because a secret or a key lets its owner act as the app. */
const about = {
  form: 'credentials',
  section: 'credentials',
  action: 'app.credentials',
  fresh: true,
  keeps: (form: PageForm) => ({ ...keptKey(form.get('key').trim()), jwks_uri: form.get('jwks_uri').slice(0, 2000) }),
} as const

/** POST /console/app/secret/add: makes a secret, which the page shows once; at most two are live. */
export const answerSecretAddition = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, addSecret)

/** POST /console/app/secret/remove */
export const answerSecretRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const {
      context: { teamApps },
      form,
      app,
    } = submission
    // A double submit removes nothing the second time, and shows the same result.
    await teamApps.removeSecret(app.id, form.get('secret').slice(0, 64), actOf(submission, 'secret_removed'))
    return { done: 'secret_removed' }
  })

/** POST /console/app/key/add: registers public keys, given as a JWK, a JWK set or PEM. */
export const answerKeyAddition = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, addKeys)

/** POST /console/app/key/address: the https address at which the app publishes its keys; empty for none. */
export const answerKeyAddress = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, setKeyAddress)

/** POST /console/app/key/remove */
export const answerKeyRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const {
      context: { teamApps },
      form,
      app,
    } = submission
    const removed = await teamApps.removeKey(app.id, form.get('kid').slice(0, 200), actOf(submission, 'key_removed'))
    return removed === 'last' ? { problems: [{ code: 'key_last' }] } : { done: 'key_removed' }
  })

async function addSecret(submission: AppSubmission): Promise<Outcome> {
  const { context, app } = submission
  const [secret, id] = [makeSecret(context.random), makeSecretId(context.random)]
  const added = await context.teamApps.addSecret(
    app.id,
    { id, hash: sha256(secret) },
    actOf(submission, 'secret_added'),
  )
  if (added === 'added') return { done: 'secret_added', kept: { secret } }
  return { problems: [{ code: added === 'enough are live' ? 'secret_enough' : 'secret_not_possible' }] }
}

async function addKeys(submission: AppSubmission): Promise<Outcome> {
  const { form, app } = submission
  const typed = form.get('key').trim()
  const read = readKeyText(typed)
  const kept = keptKey(typed)
  if ('problem' in read) return { problems: [{ field: 'key', code: `key_${read.problem}` }], kept }
  const keys = [...registeredKeys(app), ...read.keys]
  const { jwks: _, jwks_uri: __, ...rest } = app.declaration
  const problems = await writeKeys(submission, { ...rest, jwks: { keys } }, 'key_added')
  return problems
    ? { problems: problems.map((problem) => ({ ...problem, field: 'key' })), kept }
    : { done: 'key_added' }
}

async function setKeyAddress(submission: AppSubmission): Promise<Outcome> {
  const { form, app } = submission
  const address = form.get('jwks_uri').trim().slice(0, 2001)
  const { jwks: _, ...rest } = app.declaration
  const keys = registeredKeys(app)
  // RFC 7591 §2 forbids jwks beside jwks_uri.
  const declaration = { ...rest, jwks_uri: address, ...(address === '' && keys.length > 0 && { jwks: { keys } }) }
  const problems = await writeKeys(submission, declaration, 'app_changed')
  if (!problems) return { done: 'changed' }
  return { problems: problems.map((problem) => ({ ...problem, field: 'jwks_uri' })), kept: { jwks_uri: address } }
}

const registeredKeys = (app: TeamApp): unknown[] => app.keys.map(({ jwk }) => JSON.parse(jwk))

/** Writes a declaration with other keys; returns the problems, or undefined if there are none. */
async function writeKeys(submission: AppSubmission, declaration: Record<string, unknown>, kind: ActKind) {
  const { context, team, app } = submission
  const { app: declared, problems } = declare(context, declaration, team.id)
  if (!declared) return besideFields(problems)
  const written = await context.teamApps.update(declared, app.version, actOf(submission, kind))
  if (written.result === 'refused') return besideFields(written.problems)
  return written.result === 'written' ? undefined : [{ code: `app_${written.result}` }]
}
