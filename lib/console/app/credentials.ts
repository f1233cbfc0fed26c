import { makeSecret, makeSecretId } from '#lib/apps/secret'
import type { Acted, AppAuthor } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import type { PageForm } from '#lib/http/form'
import type { Problem } from '#lib/text/read-fields'
import { answerAppForm } from './app-form.ts'
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
  answerAppForm(context, request, about, async (submission) => {
    const added = await addSecret(context, submission)
    return 'problems' in added ? added : { done: added.done, kept: { secret: added.secret } }
  })

/** POST /console/app/secret/remove */
export const answerSecretRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    // A double submit removes nothing the second time, and shows the same result.
    await removeSecret(context, submission, submission.form.get('secret').slice(0, 64))
    return { done: 'secret_removed' }
  })

/** POST /console/app/key/add: registers public keys, given as a JWK, a JWK set or PEM. */
export const answerKeyAddition = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const typed = submission.form.get('key').trim()
    const added = await addKeys(context, submission, typed)
    return 'problems' in added ? { ...added, kept: keptKey(typed) } : added
  })

/** POST /console/app/key/address: the https address at which the app publishes its keys; empty for none. */
export const answerKeyAddress = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const address = submission.form.get('jwks_uri').trim().slice(0, 2001)
    const set = await setKeyAddress(context, submission, address)
    return 'problems' in set ? { ...set, kept: { jwks_uri: address } } : set
  })

/** POST /console/app/key/remove */
export const answerKeyRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const removed = await removeKey(context, submission, submission.form.get('kid').slice(0, 200))
    return removed === 'last' ? { problems: [{ code: 'key_last' }] } : { done: 'key_removed' }
  })

/** Makes a secret, unless two are live. */
export async function addSecret(
  context: ConsoleContext,
  by: AppAuthor,
): Promise<Acted<{ id: string; secret: string }>> {
  const [secret, id] = [makeSecret(context.random), makeSecretId(context.random)]
  const act = actOf({ context, ...by }, 'secret_added')
  const added = await context.teamApps.addSecret(by.app, { id, hash: sha256(secret) }, act)
  if (added === 'added') return { done: 'secret_added', id, secret }
  if (added === 'unknown app') return { problems: [{ code: 'app_unknown' }] }
  return { problems: [{ code: added === 'enough are live' ? 'secret_enough' : 'secret_not_possible' }] }
}

/** Removes a secret; returns whether the app had it. */
export const removeSecret = (context: ConsoleContext, by: AppAuthor, id: string): Promise<boolean> =>
  context.teamApps.removeSecret(by.app, id, actOf({ context, ...by }, 'secret_removed'))

/** Removes a key, unless it is the last one of an app without jwks_uri. */
export const removeKey = (context: ConsoleContext, by: AppAuthor, kid: string) =>
  context.teamApps.removeKey(by.app, kid, actOf({ context, ...by }, 'key_removed'))

/** Adds public keys, given as a JWK, a JWK set or PEM. */
export async function addKeys(context: ConsoleContext, by: AppAuthor, typed: string): Promise<Acted> {
  const read = readKeyText(typed)
  if ('problem' in read) return { problems: [{ field: 'key', code: `key_${read.problem}` }] }
  const keys = [...registeredKeys(by.app), ...read.keys]
  const { jwks: _, jwks_uri: __, ...rest } = by.app.declaration
  return writeKeys(context, by, { declaration: { ...rest, jwks: { keys } }, kind: 'key_added', field: 'key' })
}

/** Sets the address at which an app publishes its keys; empty for none. */
export function setKeyAddress(context: ConsoleContext, by: AppAuthor, address: string): Promise<Acted> {
  const { jwks: _, ...rest } = by.app.declaration
  const keys = registeredKeys(by.app)
  // RFC 7591 §2 forbids jwks beside jwks_uri.
  const declaration = { ...rest, jwks_uri: address, ...(address === '' && keys.length > 0 && { jwks: { keys } }) }
  return writeKeys(context, by, { declaration, kind: 'app_changed', field: 'jwks_uri' })
}

const registeredKeys = (app: TeamApp): unknown[] => app.keys.map(({ jwk }) => JSON.parse(jwk))

type Keys = { declaration: Record<string, unknown>; kind: 'key_added' | 'app_changed'; field: string }

/** Writes a declaration with other keys; every problem is about `field`. */
async function writeKeys(context: ConsoleContext, by: AppAuthor, { declaration, kind, field }: Keys): Promise<Acted> {
  const refuse = (problems: Problem[]) => ({ problems: besideFields(problems).map((one) => ({ ...one, field })) })
  const { app: declared, problems } = declare(context, declaration, by.team.id, by.app)
  if (!declared) return refuse(problems)
  const written = await context.teamApps.update(declared, by.app.version, actOf({ context, ...by }, kind))
  if (written.result === 'refused') return refuse(written.problems)
  if (written.result !== 'written') return { problems: [{ code: `app_${written.result}` }] }
  return { done: kind === 'key_added' ? 'key_added' : 'changed' }
}
