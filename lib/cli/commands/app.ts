import { makeSecret, makeSecretId, mostLiveSecrets } from '#lib/apps/secret'
import type { AppRecord, SecretAdded } from '#lib/apps/store'
import { wireName } from '#lib/cli/apply/describe-plan'
import { type Call, type Command, Refusal } from '#lib/cli/command'
import { describeRecord } from '#lib/cli/describe-record'
import { withDatabase } from '#lib/cli/open'
import { operatorAct } from '#lib/cli/operator-act'
import { table } from '#lib/cli/table'
import { sha256 } from '#lib/crypto/hash'
import { makeAppStore } from '#lib/db/apps/app-store'
import { appCredentials } from '#lib/db/console/app-credentials'
import { findApp } from './find-or-refuse.ts'

/** Lists and shows apps; adds and removes their secrets and keys. */
export const appCommands: Command[] = [
  {
    usage: 'app list',
    summary: 'List the registered apps',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const apps = await makeAppStore(prisma).list(call.now)
        const rows = apps.map((app) => [app.id, app.team, app.kind, app.name, app.disabledAt ? 'disabled' : ''])
        return { ok: true, value: apps.map(wire), text: table(['client_id', 'team', 'kind', 'name', ''], rows) }
      }),
  },
  {
    usage: 'app show ID',
    summary: 'Show one app: addresses, scopes, names of its secrets and keys',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const app = await findApp(prisma, call.args[0] ?? '', call.now)
        return { ok: true, value: wire(app), text: describeRecord(wire(app)) }
      }),
  },
  {
    usage: 'app secret add ID',
    summary: 'Make a new client secret and print it, once; at most two are live',
    run: addSecret,
  },
  {
    usage: 'app secret remove ID SECRETID',
    summary: 'Remove a client secret (app show lists them)',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const [id = '', secretId = ''] = call.args
        const store = makeAppStore(prisma)
        const app = await findApp(prisma, id, call.now)
        const act = operatorAct(call, 'secret_removed')
        if (!(await appCredentials(prisma, mostLiveSecrets).removeSecret({ id, teamId: app.team }, secretId, act)))
          throw new Refusal(`App ${id} has no secret ${secretId}. See: cli app show ${id}`)
        const left = (await store.find(id, call.now))?.secrets.length ?? 0
        return {
          ok: true,
          value: { client_id: id, removed: secretId, live: left },
          text: `Secret ${secretId} of ${id} no longer works; ${left} left.`,
        }
      }),
  },
  {
    usage: 'app key remove ID KID',
    summary: 'Remove a public key of an assertion app; the last one stays',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const [id = '', kid = ''] = call.args
        const app = await findApp(prisma, id, call.now)
        const act = operatorAct(call, 'key_removed')
        const outcome = await appCredentials(prisma, mostLiveSecrets).removeKey({ id, teamId: app.team }, kid, act)
        if (outcome === 'unknown') throw new Refusal(`App ${id} has no key ${kid}. See: cli app show ${id}`)
        if (outcome === 'last')
          throw new Refusal(`${kid} is the only key of ${id}. Register another first (cli apply).`)
        return { ok: true, value: { client_id: id, removed: kid }, text: `Key ${kid} of ${id} no longer works.` }
      }),
  },
]

function addSecret(call: Call) {
  return withDatabase(call, async ({ prisma }) => {
    const id = call.args[0] ?? ''
    const [secret, secretId] = [makeSecret(call.random), makeSecretId(call.random)]
    const app = await findApp(prisma, id, call.now)
    const added = { id: secretId, hash: sha256(secret) }
    const act = operatorAct(call, 'secret_added')
    const outcome = await appCredentials(prisma, mostLiveSecrets).addSecret({ id, teamId: app.team }, added, act)
    if (outcome !== 'added') throw refuseSecret(outcome, call)
    return {
      ok: true,
      value: { client_id: id, secret_id: secretId, client_secret: secret },
      text: `Secret ${secretId} of ${id} works from now on.`,
      secrets: [{ title: `The client secret of ${id}. It is shown once; its hash is stored:`, value: secret }],
    }
  })
}

function refuseSecret(outcome: Exclude<SecretAdded, 'added'>, call: Call): Refusal {
  const id = call.args[0] ?? ''
  switch (outcome) {
    case 'unknown app':
      return new Refusal(`App ${id} was removed at this moment.`)
    case 'not confidential':
      return new Refusal(`Only apps of kind confidential have secrets, and ${id} is none. See: cli app show ${id}`)
    case 'enough are live':
      return new Refusal(
        `${id} has two live secrets. Remove one first: cli app secret remove ${id} SECRETID (cli app show ${id} names them)`,
      )
  }
}

const wire = ({ id, hasLogo, registration, ...app }: AppRecord) => ({
  client_id: id,
  ...Object.fromEntries(Object.entries(app).map(([name, value]) => [wireName(name), value])),
  ...registration,
  logo: hasLogo,
  secrets: app.secrets.map((secret) => ({ id: secret.id, created_at: secret.createdAt })),
  keys: app.keys.map((key) => ({ kid: key.kid, created_at: key.createdAt })),
})
