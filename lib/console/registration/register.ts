import { addressFrom } from '#lib/account/activity/activity'
import type { DeclaredApp } from '#lib/apps/app-rules'
import { appNameProblems } from '#lib/console/app/app-name'
import { declare } from '#lib/console/app/declare-app'
import { mostApps } from '#lib/console/app/register-app'
import type { TeamApp } from '#lib/console/app/store'
import type { ConsoleContext } from '#lib/console/context'
import { mayDo } from '#lib/console/roles'
import type { OwnTeam } from '#lib/console/team/store'
import { actOf } from '#lib/console/team-form'
import { registrationPrefix } from '#lib/console/tokens/registration-token'
import type { Holder, RegistrationToken } from '#lib/console/tokens/store'
import { sha256 } from '#lib/crypto/hash'
import { isPrefixedToken, makePrefixedToken } from '#lib/crypto/prefixed-token'
import { json } from '#lib/oauth/endpoint'
import { declarationOf, metadataOf, readMetadata, refuse } from './metadata.ts'
import { answerRegistration, RegistrationRefusal, refuseMetadata, refuseNames } from './refusal.ts'

/** The prefix of registration access tokens (RFC 7592 §3). */
export const managementPrefix = 'postern_client_'

/** POST /register: registers an app with an initial access token of a team (RFC 7591 §3). */
export const answerRegister = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerRegistration(async () => {
    await countRequest(context, request)
    const holder = await findHolder(context, request)
    const sent = await readMetadata(request)
    const id = `app-${context.random(9).toString('hex')}`
    const app = await readApp(context, declarationOf(sent, id, holder.token.profile), holder.team)
    const management = makePrefixedToken(managementPrefix, context.random)
    const self = { tokenId: holder.token.id, managementHash: sha256(management) }
    const author = { context, person: holder.person, token: holder.token.name }
    const written = await context.teamApps.register(
      app,
      mostApps,
      actOf(author, 'app_registered', { target: id }),
      self,
    )
    if (written.result === 'refused') throw refuseMetadata(written.problems)
    if (written.result === 'spent' || written.result === 'closed') throw invalidToken()
    if (written.result !== 'written') throw refuse('The team has as many apps as it can.')
    const made = await context.teamApps.find(id)
    if (!made) throw invalidToken()
    // RFC 7591 §3.2.1: 0 means that the secret does not expire.
    const secret = written.secret && { client_secret: written.secret, client_secret_expires_at: 0 }
    const body = { ...metadataOf(made, context.config.issuer), ...secret, registration_access_token: management }
    return json(body, 201)
  })

type Declaration = Record<string, unknown>

/** Reads a declaration by the rules of the console, which check its names too. */
export async function readApp(
  context: ConsoleContext,
  declaration: Declaration,
  team: Pick<OwnTeam, 'id' | 'isTrusted'>,
  before?: TeamApp,
): Promise<DeclaredApp> {
  const { app, problems } = declare(context, declaration, team.id, before)
  if (!app) throw refuseMetadata(problems)
  const names = await appNameProblems(context, { team }, declaration, before?.declaration)
  if (names.length > 0) throw refuseNames(names)
  return app
}

/** Counts a request for its address, before anything is looked up. */
export async function countRequest({ apiLimits }: ConsoleContext, request: Request): Promise<void> {
  const wait = await apiLimits.addresses.fail(addressFrom(request))
  if (wait === 0) return
  const sentence = 'Too many requests. Try again after the time in Retry-After.'
  throw new RegistrationRefusal('temporarily_unavailable', sentence, { 'retry-after': String(wait) })
}

/** Returns the team and the maker of the initial access token, if the maker may still register apps. */
async function findHolder(context: ConsoleContext, request: Request): Promise<Holder<RegistrationToken>> {
  if (context.config.teams === 'off')
    throw new RegistrationRefusal('access_denied', 'The operator has closed the registration of apps.')
  const sent = bearerOf(request)
  const holder = isPrefixedToken(registrationPrefix, sent)
    ? await context.tokens.findRegistrationToken(sha256(sent), context.now())
    : undefined
  if (!holder || !mayDo(holder.team.role, 'app.register')) throw invalidToken()
  return holder
}

/** Returns the bearer token of a request (RFC 6750 §2.1); empty if there is none. */
export const bearerOf = (request: Request): string =>
  /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''

/** Returns the refusal of a token, which is the same for every cause. */
export const invalidToken = () =>
  new RegistrationRefusal('invalid_token', 'The token is wrong, expired, used up or revoked.')
