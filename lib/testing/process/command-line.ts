import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { explain } from '#lib/cli/explain'
import { runCommandLine } from '#lib/cli/run'
import { makeDns, type Zone } from '#lib/testing/relay/zone'

/** Creates a folder with its own database and returns the operator's command line. */
export function setUpCommandLine(settings: Record<string, string> = {}, zone: Zone = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const env = { DATA_DIR: dataDir, ...settings }
  const save = (content: unknown, name = 'provision.json') => {
    const file = join(folder, name)
    writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
    return file
  }
  return {
    dataDir,
    databaseUrl: settings.DATABASE_URL ?? `file:${dataDir}/postern.db`,
    save,
    /** Runs in this process, which is fast. */
    cli: (args: string[], stdin = '', now = new Date()) => runHere(args, stdin, env, { zone, now }),
    /** Runs the real program. */
    spawnCli: (args: string[], stdin = '') => runProgram(args, stdin, env),
  }
}

type Outcome = { code: number | null; stdout: string; stderr: string }

const outcome = ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr, answer: () => JSON.parse(stdout) })

type World = { zone: Zone; now: Date }

async function runHere(args: string[], stdin: string, env: Record<string, string>, { zone, now }: World) {
  const said = { stdout: '', stderr: '' }
  const code = await runCommandLine(args, {
    env,
    now,
    random: randomBytes,
    resolver: makeDns(zone).resolver,
    readStdin: async () => Buffer.from(stdin),
    stdout: (part) => (said.stdout += part),
    stderr: (part) => (said.stderr += part),
    isTerminal: false,
  }).catch((fault: unknown) => {
    said.stderr += `${explain(fault)}\n`
    return 1
  })
  return outcome({ code, ...said })
}

const { NODE_COMPILE_CACHE = '' } = process.env
/** Lets a program read its compiled modules from the folder that `npm test` names. */
export const compiled = { NODE_COMPILE_CACHE }

async function runProgram(args: string[], stdin: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['lib/cli/main.ts', ...args], {
    stdio: 'pipe',
    env: { ...compiled, ...env } as unknown as NodeJS.ProcessEnv,
  })
  child.stdin.on('error', () => undefined).end(stdin)
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  expect(stderr).not.toMatch(/\n {4}at /)
  return outcome({ code, stdout, stderr })
}
