import { randomBytes } from 'node:crypto'
import { makeSecret } from '#lib/apps/secret'
import { sha256 } from '#lib/crypto/hash'
import { makeOrderedId } from '#lib/crypto/random'
import { type Database, openDatabase, type Prisma } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { requestIdOf, writeCode } from '#lib/oauth/authorize/complete'
import type { NewAuthorization } from '#lib/oauth/store'
import { makeProofKey, proofSigner } from './proofs.ts'
import type { Stock, StockKind } from './server.ts'
import { truncateLog } from './truncate-log.ts'

const people = 1000
export const redirectUri = 'https://app.example/callback'
export const scopes = ['openid', 'name', 'nickname', 'locale', 'email']
const consent = { granted: scopes, emailChoice: 'regular' } as const

/**
 * Creates authorizations in their state after sign-in and consent: rows with an unspent code, written directly to the
 * running server's database. Tokens come from the server's token endpoint, as for an app.
 */
export async function makeStock(
  databaseUrl: string,
  tokenEndpoint: string,
  kind: StockKind,
  count: number,
): Promise<Stock> {
  const database = await openDatabase(databaseUrl)
  try {
    const team = `bench-${randomBytes(6).toString('hex')}`
    const client = await addApp(database.prisma, team)
    const persons = await addPeople(database.prisma, team, client.id)
    const verifier = secret()
    const codes = await addAuthorizations(database, {
      clientId: client.id,
      persons,
      challenge: sha256(verifier),
      count,
    })
    if (database.kind === 'sqlite') await truncateLog(database.sqlite)
    const proofKey = kind === 'boundTokens' ? makeProofKey() : undefined
    const stock = { values: codes, client, redirectUri, scope: scopes.join(' '), verifier, proofKey }
    return kind === 'codes' ? stock : { ...stock, values: await spendCodes(tokenEndpoint, stock, kind) }
  } finally {
    await database.close()
  }
}

export async function addApp(prisma: Prisma, team: string) {
  const id = `${team}-app`
  const now = new Date()
  const created = { createdAt: now, updatedAt: now }
  await prisma.team.create({ data: { id: team, name: 'Bench', ...created } })
  const about = { name: 'Bench', kind: 'confidential', profile: 'standard', homepage: '', policyUri: '', tosUri: '' }
  const may = { redirectUris: JSON.stringify([redirectUri]), scopes: scopes.join(' '), requiredScopes: 'openid' }
  await prisma.app.create({ data: { id, teamId: team, ...about, ...may, email: 'optional', ...created } })
  const clientSecret = makeSecret()
  const row = { id: randomBytes(6).toString('hex'), appId: id, hash: sha256(clientSecret), createdAt: now }
  await prisma.appSecret.create({ data: row })
  return { id, secret: clientSecret }
}

type Member = { id: string; sub: string }

async function addPeople(prisma: Prisma, team: string, appId: string): Promise<Member[]> {
  const createdAt = new Date()
  const members = Array.from({ length: people }, () => ({ id: randomBytes(16).toString('base64url'), sub: secret() }))
  const person = ({ id }: Member, index: number) => ({
    id,
    username: `${team}-${index}`,
    email: `${team}-${index}@example.org`,
    name: `Person ${index}`,
    nickname: `p${index}`,
    ...{ biography: '', gender: '', birthdate: '', region: '', locale: 'en' },
    profileUpdatedAt: createdAt,
    createdAt,
  })
  await prisma.person.createMany({ data: members.map(person) })
  await prisma.subject.createMany({
    data: members.map(({ id, sub }) => ({ personId: id, teamId: team, sub, createdAt })),
  })
  const agreed = { granted: scopes.join(' '), declined: '', emailChoice: consent.emailChoice }
  await prisma.consent.createMany({
    data: members.map(({ id }) => ({ personId: id, appId, ...agreed, createdAt, updatedAt: createdAt })),
  })
  return members
}

type Search = { clientId: string; persons: Member[]; challenge: string; count: number }

async function addAuthorizations(database: Database, { clientId, persons, challenge, count }: Search) {
  const store = authorizationStore(statementsOf(database))
  const codes = Array.from({ length: count }, () => writeCode(makeOrderedId(new Date(), randomBytes), secret()))
  await inBatches(codes, 500, async (code, index) => {
    const person = persons[index % persons.length] as Member
    const one = approval(clientId, person, challenge, code)
    const stored = await store.insertAuthorization(one, { ...consent, liveSessionId: one.sessionId })
    if (stored !== 'stored') throw new Error('An authorization was not stored.')
  })
  return codes
}

function approval(clientId: string, person: Member, challenge: string, code: string): NewAuthorization {
  const now = new Date()
  return {
    id: makeOrderedId(now, randomBytes),
    requestId: requestIdOf(code) as string,
    clientId,
    personId: person.id,
    sessionId: secret(),
    subject: person.sub,
    scopes,
    resources: [],
    emailChoice: 'regular',
    redirectUri,
    nonce: randomBytes(16).toString('base64url'),
    challenge,
    dpopJkt: undefined,
    authTime: now,
    authTimeWanted: false,
    idTokenClaims: [],
    claimValues: undefined,
    acr: '1',
    amr: ['pwd'],
    salt: randomBytes(16).toString('base64url'),
    codeHash: sha256(code),
    // Outlasts a whole run: the benchmark does not measure expiry.
    codeExpiresAt: new Date(now.getTime() + 3_600_000),
    createdAt: now,
    keepUntil: new Date(now.getTime() + 365 * 86_400_000),
    endsWithSession: false,
  }
}

export function spendCodes(tokenEndpoint: string, stock: Stock, kind: StockKind): Promise<string[]> {
  const { values, client, verifier, proofKey } = stock
  const signProof = proofKey && proofSigner(proofKey, 'POST', tokenEndpoint)
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const common = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier }
  return inBatches(values, 32, async (code) => {
    const body = new URLSearchParams({ ...common, code })
    const headers = { authorization, ...(signProof && { dpop: signProof() }) }
    const answer = await fetch(tokenEndpoint, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`Postern exchanged no code: ${answer.status} ${await answer.text()}`)
    const tokens = (await answer.json()) as { refresh_token: string; access_token: string }
    return kind === 'refreshTokens' ? tokens.refresh_token : tokens.access_token
  })
}

async function inBatches<T>(values: string[], size: number, work: (value: string, index: number) => Promise<T>) {
  const results: T[] = []
  for (let at = 0; at < values.length; at += size) {
    const batch = values.slice(at, at + size).map((value, index) => work(value, at + index))
    results.push(...(await Promise.all(batch)))
  }
  return results
}

const secret = () => randomBytes(32).toString('base64url')
