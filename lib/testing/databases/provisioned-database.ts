import { randomBytes } from 'node:crypto'
import { runCommandLine } from '#lib/cli/run'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { makeDns } from '#lib/testing/relay/zone'
import { freshUrl, type Kind } from './databases.ts'
import { copyOf } from './fresh-database.ts'

const provisioned = new Map<string, Promise<string>>()

/**
 * Returns the URL of a database in which the declaration is applied and keys exist. Both take long, so equal
 * declarations share one template.
 */
export async function provisionedUrl(kind: Kind, env: Record<string, string>, provision: unknown): Promise<string> {
  // Each test has its own mail server, whose URL does not affect the database.
  const key = JSON.stringify([kind, { ...env, SMTP_URL: '' }, provision])
  const template = provisioned.get(key) ?? makeProvisioned(kind, env, provision)
  provisioned.set(key, template)
  return copyOf(await template)
}

async function makeProvisioned(kind: Kind, env: Record<string, string>, provision: unknown): Promise<string> {
  const settings = { DATABASE_URL: await freshUrl(kind), ...env }
  await applyProvision(settings, provision)
  const context = await openContext(readConfig(settings))
  await context.relay.signingKeys()
  await context.close()
  return settings.DATABASE_URL
}

/** Runs `cli apply` on the declaration, as an operator does. */
export async function applyProvision(settings: Record<string, string>, provision: unknown) {
  let answer = ''
  const status = await runCommandLine(['apply', '-'], {
    env: settings,
    now: new Date(),
    random: randomBytes,
    resolver: makeDns({}).resolver,
    readStdin: async () => Buffer.from(JSON.stringify(provision)),
    stdout: (text) => {
      answer += text
    },
    stderr: () => undefined,
    isTerminal: false,
  })
  if (status !== 0) throw new Error(`The test's provision was refused: ${answer}`)
}
