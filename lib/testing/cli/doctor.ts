import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Finding } from '#lib/cli/doctor/check'
import { doctor } from '#lib/cli/doctor/doctor'
import { freePorts } from '#lib/testing/process/free-ports'
import { makeDns, type Zone } from '#lib/testing/relay/zone'

/** Returns a function that runs `cli doctor` on an installation in a new folder, and the ports of its settings. */
export async function openDoctor() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [issuer, account, smtp] = (await freePorts(3)) as [number, number, number]
  const env = {
    DATA_DIR: join(folder, 'data'),
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
  }
  const examine = async (more: Record<string, string> = {}, now = new Date(), zone: Zone = {}) => {
    const call = {
      args: [],
      flags: {},
      env: { ...env, ...more },
      now,
      random: () => Buffer.alloc(0),
      resolver: makeDns(zone).resolver,
      readStdin: async () => Buffer.alloc(0),
      say: () => undefined,
    }
    const { ok, value, text } = await doctor.run(call)
    const { checks } = value as { checks: Finding[] }
    return { ok, text, checks, of: (name: string) => checks.find((check) => check.name === name) }
  }
  return { dataDir: env.DATA_DIR, ports: { issuer, account, smtp }, examine }
}
