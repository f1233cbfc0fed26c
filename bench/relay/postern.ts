import { freePorts } from '#lib/testing/process/free-ports'
import { startProcess } from '../process.ts'
import { addRelayAddresses } from './relay-stock.ts'
import type { MailContestant } from './types.ts'
import { waitForGreeting } from './wait-for-greeting.ts'

export const postern: MailContestant = { name: 'Postern', start: startRelay }

/**
 * Starts the relay alone in its own process. It makes no DNS queries for a client on loopback; everything else is as
 * in production.
 */
export async function startRelay(nextHop: number) {
  const [issuer = 0, account = 0, port = 0, metrics = 0] = await freePorts(4)
  const server = await startProcess(['server.ts'], `http://127.0.0.1:${metrics}/readyz`, (folder) => ({
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
    RELAY_LISTEN: `127.0.0.1:${port}`,
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
    SMTP_URL: `smtp://127.0.0.1:${nextHop}`,
    DATA_DIR: folder,
    ROLES: 'relay',
  }))
  try {
    await waitForGreeting(port)
    const databaseUrl = `file:${server.folder}/postern.db`
    const names = await addRelayAddresses(databaseUrl)
    const recipients = names.map((name) => `${name}@relay.localhost`)
    return { port, pid: server.pid, databaseUrl, recipients, countQueued: () => 0, stop: server.stop }
  } catch (fault) {
    await server.stop()
    throw fault
  }
}
