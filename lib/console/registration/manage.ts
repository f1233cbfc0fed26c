import type { DeclaredApp } from '#lib/apps/app-rules'
import { registrationFields } from '#lib/apps/registration-fields'
import { appGraceDays } from '#lib/console/app/app-state'
import type { TeamApp } from '#lib/console/app/store'
import type { ActKind } from '#lib/console/audit/act'
import type { ConsoleContext } from '#lib/console/context'
import type { OwnTeam } from '#lib/console/team/store'
import { actOf } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import { isPrefixedToken } from '#lib/crypto/prefixed-token'
import { profileNames } from '#lib/oauth/client/profile'
import { json } from '#lib/oauth/endpoint'
import { declarationOf, kindOf, metadataOf, readMetadata, refuse } from './metadata.ts'
import { answerRegistration, RegistrationRefusal, refuseMetadata } from './refusal.ts'
import { bearerOf, countRequest, invalidToken, managementPrefix, readApp } from './register.ts'

/** GET /register/CLIENT: returns the metadata of the app, without its secret (RFC 7592 §2.1). */
export const answerRegistrationRead = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => answerWith(context, request, (await findManaged(context, request)).app))

/** PUT /register/CLIENT: replaces the metadata of the app (RFC 7592 §2.2). */
export const answerRegistrationUpdate = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => {
    const { app, team } = await findManaged(context, request)
    // RFC 7592 §2.2: a client that may not update its registration gets 403.
    if (team.isClosed) throw new RegistrationRefusal('access_denied', 'The operator has closed the team of the app.')
    const sent = await readMetadata(request)
    await checkReplacement(context, app, sent)
    const profile = profileNames.find((name) => name === app.profile) ?? 'standard'
    const declared = await readApp(context, declarationOf(sent, app.id, profile), team, app)
    const written = await context.teamApps.update(inFull(declared), app.version, byApp(context, app, 'app_changed'))
    if (written.result === 'refused') throw refuseMetadata(written.problems)
    if (written.result !== 'written') throw refuse('Another editor changed the app at the same time. Try again.')
    const kept = new Set(declared.keys.map(({ kid }) => kid))
    for (const { kid } of app.keys)
      if (!kept.has(kid)) await context.teamApps.removeKey(app, kid, byApp(context, app, 'key_removed'))
    return answerWith(context, request, (await findManaged(context, request)).app)
  })

/** DELETE /register/CLIENT: closes the app at once, and revokes its registration access token (RFC 7592 §2.3). */
export const answerRegistrationDeletion = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => {
    const { app } = await findManaged(context, request)
    const after = new Date(context.now().getTime() + appGraceDays * 86_400_000)
    await context.teamApps.setDeletion(app, after, byApp(context, app, 'app_deleted'))
    await context.registrations.endManagement(app.id)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
  })

/** Returns the app of the registration access token. An unknown app has the same answer as a wrong token (RFC 7592 §2). */
async function findManaged(context: ConsoleContext, request: Request): Promise<Managed> {
  await countRequest(context, request)
  if (context.config.teams === 'off')
    throw new RegistrationRefusal('access_denied', 'The operator has closed the registration of apps.')
  // A client_id needs no escaping in a path, so an escaped one is unknown.
  const id = (new URL(request.url).pathname.split('/')[2] ?? '').slice(0, 100)
  const sent = bearerOf(request)
  const team = isPrefixedToken(managementPrefix, sent)
    ? await context.registrations.findTeam(id, sha256(sent))
    : undefined
  const app = team && (await context.teamApps.find(id))
  if (!team || !app || app.removeAfter) throw invalidToken()
  return { app, team }
}

/** The app of a registration access token, and its team. */
type Managed = { app: TeamApp; team: Pick<OwnTeam, 'id' | 'isTrusted' | 'isClosed'> }

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
async function checkReplacement(context: ConsoleContext, app: TeamApp, sent: Record<string, unknown>): Promise<void> {
  if (sent.client_id !== app.id) throw refuse('client_id must be that of the app.')
  const forbidden = fromServer.find((name) => name in sent)
  if (forbidden) throw refuse(`${forbidden} must not be in the request.`)
  if ('client_secret' in sent && !(await isSecretOf(context, app, sent.client_secret)))
    throw refuse('client_secret must be a current secret of the app, or absent.')
  // Another kind would leave credentials behind that no longer work.
  if (kindOf(sent) !== app.kind)
    throw refuse('token_endpoint_auth_method cannot change between a secret, a key and none.')
}

/** RFC 7592 §2.2: a secret in the request must be a current one, and is never stored. */
const isSecretOf = async ({ registrations, now }: ConsoleContext, { id }: TeamApp, secret: unknown) =>
  typeof secret === 'string' && (await registrations.hasSecret(id, sha256(secret), now()))

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
