import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { flashCookies } from '#lib/http/flash'
import { openBrowser } from '#lib/testing/browser/browser'
import { assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { asking, authorizeRequest } from '#lib/testing/oauth/authorize'
import { type Chance, makeChance } from '#lib/testing/oauth/chance'
import { endpoints, type Fuzzed, fuzzRequest, type Good } from '#lib/testing/oauth/fuzz'
import { asMail, asOther, getTokens } from '#lib/testing/oauth/get-tokens'
import { makeProofPair, signProof } from '#lib/testing/oauth/proofs'
import { acme, basic, callback, openPostern, type Postern, secret, verifier } from '#lib/testing/process/postern'
import { knownScopes } from './scope.ts'

/** Fixed, so that every run sends the same requests; FUZZ_SEED sets another seed. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)

/** The number of requests; `npm run verify` sends fewer, and `FUZZ_REQUESTS=20000` more. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 6_000)

it.each([
  { kind: 'sqlite', count: requests },
  { kind: 'postgresql', count: requests / 10 },
] as const)(
  'answers $count hostile requests on $kind without an internal error or a change',
  async ({ kind, count }) => {
    const robot = await makeAssertionKey('key-1')
    const postern = await openPostern({ kind, provision: withRobot(robot.publicJwk) })
    try {
      const kept = await getTokens(postern, { scopes: ['openid', 'name'] })
      const chance = makeChance(seed)
      const good = await goodThings(postern, chance, robot)
      const before = await rows(postern)
      for (let sent = 0; sent < count; sent += 20) {
        const batch = Array.from({ length: 20 }, () => fuzzRequest(chance, postern.context.config.issuer, good))
        await Promise.all(batch.map((one, at) => send(postern, one, sent + at)))
      }
      expect(await rows(postern)).toEqual(before)
      await stillServes(postern, kept)
    } finally {
      await postern.close()
    }
  },
  180_000,
)

function withRobot(publicJwk: object) {
  const [first, ...others] = acme.teams
  const robot = {
    client_id: 'acme-robot',
    name: 'Acme Robot',
    kind: 'assertion',
    redirect_uris: [callback],
    scopes: ['openid', 'name'],
    jwks: { keys: [publicJwk] },
  }
  return { ...acme, teams: [{ ...first, apps: [...(first?.apps ?? []), robot] }, ...others] }
}

/** Checks that an answer is not an internal error. */
async function send({ context }: Postern, { name, request, described }: Fuzzed, at: number) {
  const where = `FUZZ_SEED=${seed}, request ${at} to ${name}: ${described}`
  let answer: Response
  try {
    answer = await endpoints[name].answer(context, request)
    await answer.arrayBuffer()
  } catch (fault) {
    throw new Error(`A fault. ${where}`, { cause: fault })
  }
  if (answer.status >= 500) throw new Error(`Status ${answer.status}. ${where}`)
  const location = answer.headers.get('location')
  if (location !== null && /[^\x21-\x7e]/.test(location)) throw new Error(`A bad Location ${location}. ${where}`)
}

/** The rows that no hostile request may add or delete. */
async function rows({ context: { database } }: Postern) {
  const { prisma } = database
  const ids = async (find: Promise<{ id: string }[]>) => (await find).map(({ id }) => id).sort()
  return {
    authorizations: await ids(prisma.authorization.findMany({ select: { id: true } })),
    people: await ids(prisma.person.findMany({ select: { id: true } })),
    apps: await ids(prisma.app.findMany({ select: { id: true } })),
    consents: await prisma.consent.count(),
    subjects: await prisma.subject.count(),
    orphans: database.kind === 'sqlite' ? database.sqlite.driver.pragma('foreign_key_check') : [],
  }
}

/** Expects that earlier tokens still work and that a new sign-in returns tokens. */
async function stillServes(postern: Postern, kept: { access_token: string; refresh_token: string }) {
  expect((await postern.userinfo(kept.access_token)).status).toBe(200)
  const refreshed = await postern.token(
    { grant_type: 'refresh_token', refresh_token: kept.refresh_token },
    {
      ...basic,
      'x-postern-client': 'the app itself',
    },
  )
  expect(refreshed.status).toBe(200)
  const browser = openBrowser(postern.context, '198.51.100.7')
  const arrival = await browser.decide(await browser.signIn(await browser.authorize()))
  const code = arrival.parameters.code as string
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  const answer = await postern.token(form, { ...basic, 'x-postern-client': 'the app itself' })
  const { access_token } = await answer.json()
  expect(await (await postern.userinfo(access_token)).json()).toMatchObject({ name: 'Ada L.' })
}

type RobotKey = Awaited<ReturnType<typeof makeAssertionKey>>

/** Valid values of every parameter, from which the hostile requests are derived. */
async function goodThings(postern: Postern, chance: Chance, robot: RobotKey): Promise<Good> {
  const { context } = postern
  const [tokens, doomed] = [await getTokens(postern), await getTokens(postern)]
  const other = await getTokens(postern, { clientId: 'other-web' }, asOther)
  const assertions = await Promise.all(Array.from({ length: 40 }, () => oddAssertion(postern, chance, robot)))
  const objects = await Promise.all(Array.from({ length: 40 }, () => oddObject(postern, chance, robot)))
  const pushed = await Promise.all([basic, asMail].map((headers) => pushedUri(postern, headers)))
  const sealed = await sealedThings(postern)
  const proofs = await proofThings(postern)
  const all: string[] = [tokens, other].flatMap((each) => [each.access_token, each.refresh_token, each.id_token])
  const form = assertionForm('')
  return {
    ...Object.fromEntries(Object.entries(asking).map(([name, value]) => [name, [value]])),
    scope: ['', 'openid', 'openid name', 'openid profile email', knownScopes.join(' ')],
    'authorize.client_id': ['acme-web', 'acme-web', 'acme-spa', 'acme-mail', 'other-web', 'acme-robot'],
    'consent.scope': [...knownScopes],
    client_id: ['', 'acme-web', 'acme-spa', 'acme-mail', 'other-web', 'acme-robot'],
    client_secret: ['', '', '', '', secret],
    client_assertion: ['', '', '', ...assertions],
    client_assertion_type: ['', '', '', form.client_assertion_type],
    grant_type: ['authorization_code', 'refresh_token'],
    code: [await postern.approve(), await postern.approve({ clientId: 'acme-spa' }), 'x'.repeat(43)],
    code_verifier: [verifier, 'w'.repeat(43), 'short'],
    redirect_uri: [callback, callback, callback, `${callback}/`],
    refresh_token: [tokens.refresh_token, other.refresh_token],
    token: all,
    'revoke.token': [doomed.access_token, doomed.refresh_token, other.access_token],
    access_token: ['', tokens.access_token],
    prompt: ['', '', 'none', 'login', 'consent select_account'],
    response_mode: ['', '', 'query', 'form_post'],
    ...Object.fromEntries(
      ['nonce', 'max_age', 'login_hint', 'ui_locales', 'display', 'claims'].map((name) => [name, ['', '1']]),
    ),
    id_token_hint: ['', '', '', tokens.id_token],
    request_uri: ['', '', '', '', ...pushed],
    'par.request_uri': ['', '', '', pushed[0] ?? ''],
    'authorize.request': ['', '', ...objects],
    'par.request': ['', '', ...objects],
    request: [...sealed.all, ...sealed.started, ...sealed.started, ...sealed.started],
    r: sealed.all,
    username: ['ada', 'bob', 'nobody'],
    password: ['', 'correct horse battery', 'wrong password'],
    action: ['', '', 'cancel'],
    session: [randomBytes(16).toString('base64url')],
    email_choice: ['', 'regular', 'hidden', 'none'],
    authorization: [
      '',
      basic.authorization ?? '',
      asMail.authorization ?? '',
      asOther.authorization ?? '',
      ...bearers(all),
      ...proofs.tokens,
    ],
    dpop: ['', '', ...proofs.headers],
    dpop_jkt: ['', '', proofs.jkt],
    'x-fapi-interaction-id': ['', '1'],
    cookie: ['', ...sealed.cookies],
    'content-type': ['application/x-www-form-urlencoded'],
    origin: ['', context.config.accountUrl],
    'sec-fetch-site': ['', 'same-origin', 'same-origin', 'cross-site'],
    'accept-language': ['', 'ja, en;q=0.5'],
    'x-postern-client': Array.from({ length: 50 }, (_, n) => `203.0.113.${n}`),
  }
}

/** Valid proofs for the token endpoint and userinfo, and the headers of a token that is bound to their key. */
async function proofThings(postern: Postern) {
  const pair = await makeProofPair()
  const { issuer } = postern.context.config
  const tokenProof = () => signProof(pair, `${issuer}/oauth2/token`)
  const { access_token } = await getTokens(postern, {}, { ...basic, dpop: await tokenProof() })
  const forUserinfo = { method: 'GET', accessToken: access_token }
  const headers = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0 ? tokenProof() : signProof(pair, `${issuer}/userinfo`, forUserinfo),
  )
  return {
    jkt: pair.jkt,
    headers: await Promise.all(headers),
    tokens: Array.from({ length: 4 }, () => `DPoP ${access_token}`),
  }
}

const bearers = (tokens: string[]) => tokens.map((token) => `Bearer ${token}`)

/** Returns a usual claim, or sometimes one of another type. */
const odd = (chance: Chance, usual: unknown) =>
  chance.one(0.7)
    ? usual
    : chance.pick<unknown>([null, 0, -1, 1e300, '', '\0', '\ud800', 'x'.repeat(300), [null], { toString: 1 }, true])

const withOdd = (chance: Chance, claims: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(claims).map(([name, usual]) => [name, odd(chance, usual)]))

/** Returns an assertion that is signed with the right key but may have odd claims. */
function oddAssertion({ context, clock }: Postern, chance: Chance, { kid, privateKey }: RobotKey): Promise<string> {
  const seconds = Math.floor(clock.now.getTime() / 1000)
  const parties = { iss: 'acme-robot', sub: 'acme-robot', aud: context.config.issuer }
  const claims = { ...parties, jti: randomBytes(8).toString('hex'), iat: seconds, nbf: seconds, exp: seconds + 600 }
  return signJwt(withOdd(chance, claims), { alg: 'ES256', kid }, privateKey)
}

/** Returns a request object that is signed with the right key; some have odd parameters, some odd claims. */
function oddObject({ context, clock }: Postern, chance: Chance, { kid, privateKey }: RobotKey): Promise<string> {
  const seconds = Math.floor(clock.now.getTime() / 1000)
  const sealing = { iss: 'acme-robot', aud: context.config.issuer, nbf: seconds, exp: seconds + 600 }
  const parameters = chance.one(0.5) ? asking : withOdd(chance, { ...asking, max_age: 1, claims: {} })
  const claims = { ...parameters, client_id: 'acme-robot', ...(chance.one(0.7) ? sealing : withOdd(chance, sealing)) }
  return signJwt(claims, { alg: 'ES256', kid }, privateKey)
}

async function pushedUri(postern: Postern, headers: Record<string, string>): Promise<string> {
  const { client_id: _, ...parameters } = asking
  return (await (await postern.push(parameters, headers)).json()).request_uri
}

/**
 * Every kind of sealed value, from a browser with and one without a session, so that each can be sent in place of
 * another.
 */
async function sealedThings({ context }: Postern) {
  const [visitor, person] = [openBrowser(context), openBrowser(context)]
  const begun = await endpoints.authorize.answer(context, authorizeRequest(context, {}))
  const [before, signIn] = [new URL(begun.headers.get('location') ?? ''), await visitor.authorize()]
  const consent = await person.signIn(await person.authorize())
  const posted = await visitor.authorize({ response_mode: 'form_post', prompt: 'none' })
  const problem = await visitor.authorize({ client_id: 'nobody' })
  const request = new Request(context.config.accountUrl, { headers: { cookie: person.cookies() } })
  const [line = ''] = await flashCookies(context, request, { form: 'signin', problems: [], kept: {} }, '/signin')
  const flash = line.replace(/;.*/, '')
  const requests = [before.searchParams, signIn.url.searchParams, consent.url.searchParams]
  const seals = [posted.parameters.r ?? '', problem.parameters.e ?? '', flash.slice(flash.indexOf('=') + 1)]
  const started = requests.map((parameters) => parameters.get('request') ?? '')
  const all = [...started, ...seals]
  for (const seal of all) if (seal === '') throw new Error('The journey did not give what the test needs.')
  const strange = all.flatMap((seal) => [`postern-session=${seal}`, `postern-browser=${seal}`, `postern-flash=${seal}`])
  const right = [visitor.cookies(), person.cookies(), `${person.cookies()}; ${flash}`]
  return { all, started, cookies: [...Array.from({ length: 8 }, () => right).flat(), ...strange] }
}
