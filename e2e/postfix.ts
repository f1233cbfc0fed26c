import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '#lib/testing/process/free-ports'
import { ensureProgram } from '../bin/apt.mjs'

/**
 * Starts Postfix as the server at SMTP_URL: it queues what the relay forwards and delivers to the mail server at
 * `behind`.
 */
export async function startPostfixBehind(behind: number) {
  const [port = 0] = await freePorts(1)
  const relayhost = { relayhost: `[127.0.0.1]:${behind}`, smtp_tls_security_level: 'none' }
  const postfix = await startPostfix('next-hop', relayhost, [['10025', String(port)]])
  return { ...postfix, port, url: `smtp://127.0.0.1:${port}` }
}

/** Starts Postfix as the MX: it passes every message to the relay before it accepts the message. */
export async function startPostfixInFront(relayPort: number, settings: Record<string, string> = {}) {
  const [port = 0] = await freePorts(1)
  const postfix = await startPostfix('front', { relay_domains: 'relay.localhost', ...settings }, [
    ['smtp      inet', `127.0.0.1:${port} inet`],
    ['127.0.0.1:2525', `127.0.0.1:${relayPort}`],
  ])
  return { ...postfix, port }
}

/** Starts a real Postfix with the configuration of docs/relay, in its own folder and on free ports. */
async function startPostfix(
  name: 'next-hop' | 'front',
  settings: Record<string, string>,
  ports: [documented: string, own: string][],
) {
  const postfix = await ensureProgram('postfix')
  const folder = mkdtempSync(join(tmpdir(), 'postern-postfix-'))
  chmodSync(folder, 0o755)
  const at = (part: string) => join(folder, part)
  for (const part of ['etc', 'queue', 'data']) mkdirSync(at(part))
  execFileSync('chown', ['postfix', at('data')])
  const docs = resolve(import.meta.dirname, '../docs/relay', name)
  const own = {
    queue_directory: at('queue'),
    data_directory: at('data'),
    maillog_file: at('log'),
    maillog_file_prefixes: folder,
    inet_protocols: 'ipv4',
    ...settings,
  }
  writeFileSync(at('etc/main.cf'), withOwn(readFileSync(join(docs, 'main.cf'), 'utf8'), own))
  const master = ports.reduce(
    (text, [documented, port]) => text.replaceAll(documented, port),
    readFileSync(join(docs, 'master.cf'), 'utf8'),
  )
  writeFileSync(at('etc/master.cf'), master)
  const command = (...args: string[]) =>
    execFileSync(postfix, ['-c', at('etc'), ...args], { stdio: 'pipe', timeout: 60_000 })
  let runs = false
  const start = () => {
    command('start')
    runs = true
  }
  const stop = () => {
    if (runs) command('stop')
    runs = false
  }
  start()
  const postqueue = (flag: '-p' | '-f') =>
    execFileSync(join(dirname(postfix), 'postqueue'), ['-c', at('etc'), flag], { encoding: 'utf8', stdio: 'pipe' })
  return {
    log: () => readFileSync(at('log'), 'utf8'),
    start,
    /** Stops Postfix. Queued messages stay in the queue. */
    stop,
    queueFolder: at('queue'),
    /** Returns effective settings, including defaults. */
    settings: (...names: string[]) =>
      execFileSync(join(dirname(postfix), 'postconf'), ['-c', at('etc'), '-hx', ...names], { encoding: 'utf8' })
        .split('\n')
        .slice(0, names.length),
    /** Returns the undelivered messages in the format of postqueue. */
    queue: () => postqueue('-p'),
    /** Retries all queued messages now. */
    flush: () => postqueue('-f'),
    remove() {
      stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the documented settings with the test's own values. Each name occurs once: Postfix warns of a duplicate,
 * and its log writer, which would have to log that warning to itself, can deadlock.
 */
function withOwn(documented: string, own: Record<string, string>): string {
  const others = Object.keys(own).reduce(
    (text, key) => text.replace(new RegExp(`^${key} *=.*\\n([ \\t].*\\n)*`, 'm'), ''),
    documented,
  )
  return `${others}\n${Object.entries(own)
    .map(([key, value]) => `${key} = ${value}`)
    .join('\n')}\n`
}

/** Runs Postfix's load generator. Throws when a message is rejected. */
export async function smtpSource(args: string[]): Promise<void> {
  await promisify(execFile)(join(dirname(await ensureProgram('postfix')), 'smtp-source'), args, { timeout: 60_000 })
}
