import { createHash, randomBytes } from 'node:crypto'
import type { Timeouts } from '#lib/db/engine/timeouts'
import type { AskedClaims } from '#lib/oauth/authorize/claims-parameter'
import { completeRequest } from '#lib/oauth/authorize/complete'
import { answerPush } from '#lib/oauth/authorize/push'
import type { Prompt } from '#lib/oauth/authorize/request'
import type { ConsentRecord } from '#lib/oauth/consent/store'
import type { EmailChoice } from '#lib/oauth/store'
import { answerToken } from '#lib/oauth/token/endpoint'
import { answerIntrospect } from '#lib/oauth/token/introspect'
import { answerRevoke } from '#lib/oauth/token/revoke'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { type Context, openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import type { Kind } from '#lib/testing/databases/databases'
import { provisionedUrl } from '#lib/testing/databases/provisioned-database'
import { makeDns, type Zone } from '#lib/testing/relay/zone'

export type Options = {
  kind?: Kind
  env?: Record<string, string>
  provision?: unknown
  zone?: Zone
  timeouts?: Timeouts
}
export type Postern = Awaited<ReturnType<typeof openPostern>>

/** Opens all of Postern except its pages, on its own real database and with a clock that the test sets. */
export async function openPostern({ kind = 'sqlite', env = {}, provision = acme, zone = {}, timeouts }: Options = {}) {
  const chosen = { SECRET_KEY: testKey, LOG_LEVEL: 'silent', DEMO: '0', ...env }
  const settings = { DATABASE_URL: env.DATABASE_URL ?? (await provisionedUrl(kind, chosen, provision)), ...chosen }
  const clock = { now: new Date() }
  const { resolver } = makeDns(zone)
  const ambient = { now: () => clock.now, random: randomBytes, resolver, ...(timeouts && { timeouts }) }
  const context = await openContext(readConfig(settings), ambient)
  return {
    context,
    settings,
    clock,
    later: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    },
    ...endpointsOf(context),
    approve: (approval?: Approval) => approve(context, approval),
    failures: async (appId: string) => context.database.prisma.failure.findMany({ where: { appId } }),
    close: () => context.close(),
  }
}

type Sent = Record<string, string | undefined> | string
type Headers = Record<string, string>

function endpointsOf({ oauth }: Context) {
  const post = (path: string, form: Sent, headers: Headers) =>
    new Request(`${oauth.issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof form === 'string' ? form : new URLSearchParams(defined(form)).toString(),
    })
  return {
    token: (form: Sent, headers: Headers = basic) => answerToken(oauth, post('/oauth2/token', form, headers)),
    introspect: (form: Sent, headers: Headers = basic) =>
      answerIntrospect(oauth, post('/oauth2/introspect', form, headers)),
    push: (form: Sent, headers: Headers = basic) => answerPush(oauth, post('/oauth2/par', form, headers)),
    revoke: (form: Sent, headers: Headers = basic) => answerRevoke(oauth, post('/oauth2/revoke', form, headers)),
    userinfo: (token: string) =>
      answerUserinfo(oauth, new Request(`${oauth.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })),
  }
}

const defined = (form: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined))

export const testKey = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64url')
export const callback = 'https://acme.example/callback'
export const secret = 'a-secret-of-sixteen+ %chars'

export const verifier = 'v'.repeat(43)
export const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** HTTP Basic with both halves form-encoded (specification §5.1). */
export const basicAuth = (id: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${formEncode(id)}:${formEncode(password)}`).toString('base64')}`,
})
const formEncode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
export const basic = basicAuth('acme-web', secret)

const everything = [
  'openid',
  'name',
  'nickname',
  'picture',
  'biography',
  'gender',
  'birthdate',
  'region',
  'preferred_username',
  'locale',
  'email',
  'profile',
]
const app = { redirect_uris: [callback], scopes: everything, email: 'optional' }

/** Two teams, an app of each kind, and two people. */
export const acme = {
  teams: [
    {
      id: 'acme',
      name: 'Acme',
      apps: [
        { ...app, client_id: 'acme-web', name: 'Acme Web', kind: 'confidential', client_secret: secret },
        {
          ...app,
          client_id: 'acme-mail',
          name: 'Acme Mail',
          kind: 'confidential',
          client_secret: `${secret}!`,
          email: 'required',
        },
        { ...app, client_id: 'acme-spa', name: 'Acme Browser', kind: 'public' },
      ],
    },
    {
      id: 'other',
      name: 'Other',
      apps: [{ ...app, client_id: 'other-web', name: 'Other Web', kind: 'confidential', client_secret: secret }],
    },
  ],
  people: [
    { username: 'ada', password: 'correct horse battery', email: 'ada@example.org', name: 'Ada L.', locale: 'ja' },
    { username: 'bob', password: 'staple horse battery' },
  ],
}

export type Approval = {
  clientId?: string
  /** The id of an accepted request; a new one by default. */
  requestId?: string
  sessionId?: string
  username?: string
  scopes?: string[]
  emailChoice?: EmailChoice
  nonce?: string
  maxAge?: number
  prompt?: Prompt[]
  challenge?: string | undefined
  dpopJkt?: string
  redirectUri?: string
  claims?: AskedClaims
}

/** Signs a person in and stores their consent, as the pages do. Returns the code. */
export async function approve(context: Context, approval: Approval = {}) {
  const { oauth, database } = context
  const client = await oauth.store.findClient(approval.clientId ?? 'acme-web')
  if (!client) throw new Error('There is no such app.')
  const person = await database.prisma.person.findUniqueOrThrow({ where: { username: approval.username ?? 'ada' } })
  const now = context.now()
  const subject = await context.consents.ensureSubject(
    person.id,
    client.teamId,
    randomBytes(24).toString('base64url'),
    now,
  )
  const scopes = approval.scopes ?? ['openid']
  const emailChoice = approval.emailChoice ?? (scopes.includes('email') ? 'regular' : 'none')
  const consent = { granted: scopes, declined: [], emailChoice }
  await agree(context, person.id, client.id, consent)
  const { sessionId = 'session-of-the-test' } = approval
  const response = await completeRequest(oauth, {
    request: {
      id: approval.requestId ?? randomBytes(16).toString('base64url'),
      clientId: client.id,
      redirectUri: approval.redirectUri ?? callback,
      responseMode: 'query',
      scopes,
      state: 'state',
      nonce: approval.nonce,
      dpopJkt: approval.dpopJkt,
      challenge: 'challenge' in approval ? approval.challenge : challengeOf(verifier),
      prompt: approval.prompt ?? [],
      maxAge: approval.maxAge,
      preferredClass: undefined,
      loginHint: undefined,
      hintedSubject: undefined,
      claims: approval.claims,
      uiLocales: undefined,
      issuedAt: Math.floor(now.getTime() / 1000),
    },
    client,
    personId: person.id,
    subject,
    session: { id: sessionId, firstId: sessionId, authenticatedAt: now, amr: ['pwd'] },
    scopes,
    emailChoice,
    consent,
  })
  if (typeof response === 'string') throw new Error(`This request ended otherwise: ${response}.`)
  return response.parameters.code as string
}

/** Replaces a consent without touching existing authorizations. */
async function agree({ database, now }: Context, personId: string, appId: string, consent: ConsentRecord) {
  const row = { granted: consent.granted.join(' '), declined: '', emailChoice: consent.emailChoice, updatedAt: now() }
  await database.prisma.consent.upsert({
    where: { personId_appId: { personId, appId } },
    create: { personId, appId, createdAt: now(), ...row },
    update: row,
  })
}
