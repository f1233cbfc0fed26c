import type { DeclaredApp } from '#lib/apps/app-rules'
import { registrationFields } from '#lib/apps/registration-fields'
import { appGraceDays } from '#lib/console/app/app-state'
import { declare } from '#lib/console/app/declare-app'
import type { TeamApp } from '#lib/console/app/store'
import type { ActKind } from '#lib/console/audit/act'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import { isPrefixedToken } from '#lib/crypto/prefixed-token'
import { profileNames } from '#lib/oauth/client/profile'
import { json } from '#lib/oauth/endpoint'
import { declarationOf, kindOf, metadataOf, readMetadata, refuse } from './metadata.ts'
import { answerRegistration, RegistrationRefusal, refuseMetadata } from './refusal.ts'
import { bearerOf, countRequest, invalidToken, managementPrefix } from './register.ts'

/** GET /register/CLIENT: returns the metadata of the app, without its secret (RFC 7592 §2.1). */
export const answerRegistrationRead = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => answerWith(context, request, await findManaged(context, request)))

/** PUT /register/CLIENT: replaces the metadata of the app (RFC 7592 §2.2). */
export const answerRegistrationUpdate = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => {
    const app = await findManaged(context, request)
    const sent = await readMetadata(request)
    checkReplacement(app, sent)
    const profile = profileNames.find((name) => name === app.profile) ?? 'standard'
    const { app: declared, problems } = declare(context, declarationOf(sent, app.id, profile), app.teamId)
    if (!declared) throw refuseMetadata(problems)
    const written = await context.teamApps.update(inFull(declared), app.version, byApp(context, app, 'app_changed'))
    if (written.result === 'refused') throw refuseMetadata(written.problems)
    if (written.result !== 'written') throw refuse('Another editor changed the app at the same time. Try again.')
    const kept = new Set(declared.keys.map(({ kid }) => kid))
    for (const { kid } of app.keys)
      if (!kept.has(kid)) await context.teamApps.removeKey(app.id, kid, byApp(context, app, 'key_removed'))
    return answerWith(context, request, await findManaged(context, request))
  })

/** DELETE /register/CLIENT: closes the app at once, and revokes its registration access token (RFC 7592 §2.3). */
export const answerRegistrationDeletion = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => {
    const app = await findManaged(context, request)
    const after = new Date(context.now().getTime() + appGraceDays * 86_400_000)
    await context.teamApps.setDeletion(app.id, after, byApp(context, app, 'app_deleted'))
    await context.registrations.endManagement(app.id)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
  })

/** Returns the app of the registration access token. An unknown app has the same answer as a wrong token (RFC 7592 §2). */
async function findManaged(context: ConsoleContext, request: Request): Promise<TeamApp> {
  await countRequest(context, request)
  if (context.config.teams === 'off')
    throw new RegistrationRefusal('access_denied', 'The operator has closed the registration of apps.')
  const id = decodeURIComponent(new URL(request.url).pathname.split('/')[2] ?? '').slice(0, 100)
  const sent = bearerOf(request)
  const isManager = isPrefixedToken(managementPrefix, sent) && (await context.registrations.isManager(id, sha256(sent)))
  const app = isManager ? await context.teamApps.find(id) : undefined
  if (!app || app.removeAfter) throw invalidToken()
  return app
}

/** Answers with the metadata. The token stays the same, so the answer repeats the one that the request has (RFC 7592 §3). */
const answerWith = (context: ConsoleContext, request: Request, app: TeamApp): Response =>
  json({ ...metadataOf(app, context.config.issuer), registration_access_token: bearerOf(request) })

const fromServer = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
]

/** Checks what RFC 7592 §2.2 requires of a replacement beyond the rules of a registration. */
function checkReplacement(app: TeamApp, sent: Record<string, unknown>): void {
  if (sent.client_id !== app.id) throw refuse('client_id must be that of the app.')
  const forbidden = fromServer.find((name) => name in sent)
  if (forbidden) throw refuse(`${forbidden} must not be in the request.`)
  // The server stores only a hash, so it cannot compare; the secret changes in the console or by the API of the team.
  if ('client_secret' in sent) throw refuse('client_secret must not be in the request.')
  // Another kind would leave credentials behind that no longer work.
  if (kindOf(sent) !== app.kind)
    throw refuse('token_endpoint_auth_method cannot change between a secret, a key and none.')
}

/** Returns the declaration with every absent field of the registration unset, because a replacement keeps none. */
const inFull = (app: DeclaredApp): DeclaredApp => ({
  ...app,
  registration: {
    ...Object.fromEntries(Object.keys(registrationFields).map((field) => [field, undefined])),
    ...app.registration,
  },
})

/** Returns an act whose author is the app itself. */
const byApp = (context: ConsoleContext, app: TeamApp, kind: ActKind) =>
  actOf({ context, person: { username: app.id } }, kind, { target: app.id })
