import type { DeclaredApp } from '#lib/apps/app-rules'
import { sha256 } from '#lib/crypto/hash'
import type { KnownApp } from './known-app.ts'
import type { Plan, Step, Tools } from './provision-plan.ts'

/** Plans the secret of a confidential app: the declared one, or a generated one if the app has none (design §8). */
export function planSecret(app: DeclaredApp, before: KnownApp | undefined, tools: Tools): Partial<Plan> {
  if (app.kind !== 'confidential') return {}
  const live = (before?.secrets ?? []).filter((secret) => !secret.expiresAt || secret.expiresAt > tools.now)
  if (app.secret === undefined) {
    return live.length > 0 ? {} : { steps: [secretStep(app, undefined, tools)], generates: [app.clientId] }
  }
  const hash = sha256(app.secret)
  if (live.some((secret) => secret.hash === hash)) return {}
  if (live.length < tools.credentials.mostLiveSecrets) return { steps: [secretStep(app, hash, tools)] }
  const known = live.map((secret) => `${secret.id} (of ${secret.createdAt.toISOString().slice(0, 10)})`).join(' and ')
  const message = `is new, but two secrets are live: ${known}. Remove one first: cli app secret remove ${app.clientId} SECRETID`
  return { problems: [{ path: `${app.path}.client_secret`, message }] }
}

function secretStep({ clientId }: DeclaredApp, hash: string | undefined, { now, random, credentials }: Tools): Step {
  return {
    change: { op: 'create', kind: 'secret', id: clientId, fields: [] },
    differences: [],
    async write(writer, secrets) {
      const made = hash === undefined ? credentials.makeSecret(random) : undefined
      if (made !== undefined) secrets.set(clientId, made)
      const data = {
        id: credentials.makeSecretId(random),
        appId: clientId,
        hash: hash ?? sha256(made as string),
        createdAt: now,
      }
      await writer.appSecret.create({ data })
    },
  }
}

/**
 * Plans the new public keys. Refuses a different key under a stored kid, because it would invalidate current
 * assertions.
 */
export function planKeys(app: DeclaredApp, before: KnownApp | undefined, { now }: Tools): Partial<Plan> {
  const known = new Map((before?.keys ?? []).map((key) => [key.kid, key.jwk]))
  const changed = app.keys.filter(({ kid, jwk }) => known.has(kid) && materialOf(known.get(kid)) !== materialOf(jwk))
  const kept = [...known.keys()].filter((kid) => !app.keys.some((key) => key.kid === kid))
  const steps = app.keys
    .filter(({ kid }) => !known.has(kid))
    .map(
      ({ kid, jwk }): Step => ({
        change: { op: 'create', kind: 'key', id: `${app.clientId}/${kid}`, fields: [] },
        differences: [],
        write: (writer) => writer.appKey.create({ data: { appId: app.clientId, kid, jwk, createdAt: now } }),
      }),
    )
  const message = (kid: string) => `the kid ${kid} is registered with another key; give the new key a kid of its own`
  return {
    steps,
    problems: changed.map(({ kid }) => ({ path: `${app.path}.jwks.keys`, message: message(kid) })),
    notes: app.kind === 'assertion' ? kept.map((kid) => keptNote(app, kid)) : [],
  }
}

const keptNote = ({ path, clientId }: DeclaredApp, kid: string) =>
  `${path}.jwks: the key ${kid} of ${clientId} is not listed and stays. Remove it with: cli app key remove ${clientId} ${kid}`

/** Returns the members that make up a public key (RFC 7638 §3.2). */
function materialOf(jwk: string | undefined): string {
  const { kty, x, y, n, e } = JSON.parse(jwk ?? '{}') as Record<string, string | undefined>
  return [kty, x, y, n, e].join(' ')
}
