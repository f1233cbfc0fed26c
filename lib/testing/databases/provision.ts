import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { readPeople } from '#lib/account/person/people-file'
import { makeSecret, makeSecretId, mostLiveSecrets } from '#lib/apps/secret'
import { readTeams } from '#lib/apps/teams-file'
import type { Database } from '#lib/db/engine/client'
import { planProvision, type Wanted, writeProvision } from '#lib/db/provision/provision'
import type { Logo } from '#lib/db/provision/provision-apps'
import type { Plan, Tools } from '#lib/db/provision/provision-plan'
import { knownScopes } from '#lib/oauth/scope'
import { makeProof } from '#lib/relay/sender-domains/mail-domain'

export const jwk = (kid: string, n = 0) => ({ ...points[n], kty: 'EC', crv: 'P-256', kid })
const points = [
  { x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' },
  { x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4', y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM' },
]
export const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
export const robot = { ...web, client_id: 'acme-robot', kind: 'assertion', jwks: { keys: [jwk('k1')] } }
export const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org', name: 'Ada' }
export const fileOf = (apps: object[], people: object[] = []) => ({
  teams: [{ id: 'acme', name: 'Acme', apps }],
  people,
})

type File = { teams?: unknown; people?: unknown }

export function wantedOf(file: File, logos: [string, Logo][] = []): Wanted {
  const fail = (path: string, message: string) => expect.fail(`${path} ${message}`)
  return {
    teams: readTeams(file.teams, { issuer: 'https://id.example.org', issuerIsLoopback: false, knownScopes }, fail),
    people: readPeople(file.people, 'relay.example.org', fail),
    logos: new Map(logos),
  }
}

export function toolsAt(time = '2026-11-20T10:00:00Z'): Tools {
  return {
    now: new Date(time),
    random: randomBytes,
    passwordHashes: new Map([
      ['ada', 'hash-of-ada'],
      ['bob', 'hash-of-bob'],
    ]),
    credentials: { mostLiveSecrets, makeSecret, makeSecretId, makeProof },
  }
}

export async function apply(database: Database, file: File, logos: [string, Logo][] = [], tools = toolsAt()) {
  const wanted = wantedOf(file, logos)
  const plan = await planProvision(database.prisma, wanted, tools)
  if (plan.problems.length > 0) return { plan, secrets: new Map<string, string>() }
  return { plan, secrets: await writeProvision(database, wanted, tools, plan) }
}

export const said = (plan: Plan) =>
  plan.steps.map(({ change }) => `${change.op} ${change.kind} ${change.id} ${change.fields.join(',')}`.trim())
