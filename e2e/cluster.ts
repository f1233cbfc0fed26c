import { randomBytes } from 'node:crypto'
import { freePorts } from '#lib/testing/process/free-ports'
import { startHaproxy } from './haproxy.ts'
import { ServerProcess } from './server-process.ts'

/**
 * Starts `count` nodes on one database, and HAProxy in front of each host. Returns the first node, whose `issuer` and
 * `accountUrl` are those of HAProxy. The first node alone has the demo and, in memory, the mailbox of an evaluation:
 * the other nodes send their letters to it, and HAProxy sends /dev/ and the home page,
 * which links the demo, to it.
 */
export async function startCluster(count: number, settings: Record<string, string>): Promise<ServerProcess> {
  const ports = await freePorts(2 * count)
  const listenersOf = (at: number) => ({
    LISTEN_ISSUER: `127.0.0.1:${ports[2 * at]}`,
    LISTEN_ACCOUNT: `127.0.0.1:${ports[2 * at + 1]}`,
  })
  const shared = { TRUST_PROXY: '127.0.0.1,::1', SECRET_KEY: randomBytes(32).toString('base64url'), ...settings }
  const first = await ServerProcess.start({ LOG_LEVEL: 'debug', ...shared, ...listenersOf(0) })
  const mailbox = /smtp:\/\/127\.0\.0\.1:\d+/.exec(first.logs())?.[0]
  const hosts = { ISSUER: first.issuer, ACCOUNT_URL: first.accountUrl }
  for (let at = 1; at < count; at++) {
    const own = { ...listenersOf(at), ...hosts, DEMO: '0' }
    first.peers.push(await ServerProcess.start({ ...(mailbox && { SMTP_URL: mailbox }), ...shared, ...own }))
  }
  for (const [offset, url] of [first.issuer, first.accountUrl].entries()) {
    const { host, port } = new URL(url)
    const nodes = ports.filter((_, at) => at % 2 === offset)
    const proxy = await startHaproxy(first.dataDir, [`127.0.0.1:${port}`], nodes, host, true)
    first.onRemove(proxy.stop)
  }
  return first
}
