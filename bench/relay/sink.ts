import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { freePorts } from '#lib/testing/process/free-ports'
import { aptInstall, canAptInstall, onPath } from '../../bin/apt.mjs'
import { waitForGreeting } from './wait-for-greeting.ts'

/** Starts the next hop: Postfix's test sink, which accepts and discards every message. */
export async function startSink(): Promise<{ port: number; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1)
  const own = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(await ensureSmtpSink(), [...own, '-4', `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await waitForGreeting(port)
  return {
    port,
    async stop() {
      process.off('exit', kill)
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

async function ensureSmtpSink(): Promise<string> {
  const find = () => onPath('smtp-sink') ?? '/usr/sbin/smtp-sink'
  if (!existsSync(find()) && canAptInstall()) await aptInstall('postfix')
  if (!existsSync(find())) throw new Error('smtp-sink is missing: install the package postfix (apt install postfix).')
  return find()
}
