import type { Config } from '#lib/server/settings/config'
import { isLoopback } from '#lib/text/loopback'
import { type Finding, ok, warning, wrong } from './check.ts'
import { checkMailServer } from './check-mail-server.ts'

/**
 * Checks at the same time, with time limits, that this machine reaches the issuer, the account host and the mail
 * server.
 */
export function checkNetwork(config: Config): Promise<Finding[]> {
  const { issuer, accountUrl, smtpUrl } = config
  const reached = [checkHost('ISSUER', issuer), checkHost('ACCOUNT_URL', accountUrl), checkMailServer(smtpUrl)]
  return Promise.all([...reached, ...checkProxy(config)])
}

/** Checks TRUST_PROXY. Postern does not terminate TLS, so a public installation has a proxy in front of it. */
function checkProxy({ evaluation, trustProxy }: Config): Finding[] {
  if (evaluation) return []
  if (trustProxy.length > 0) return [ok('TRUST_PROXY', `believes ${trustProxy.join(', ')}.`)]
  const fix = 'Name the addresses of the proxy that ends TLS, such as TRUST_PROXY=127.0.0.1'
  return [
    warning('TRUST_PROXY', 'is empty: every visitor seems to come from the proxy, and they slow each other.', fix),
  ]
}

const patience = 3000

async function checkHost(name: string, origin: string): Promise<Finding> {
  try {
    const { status } = await fetch(`${origin}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(patience) })
    if (status === 200) return ok(name, `${origin} answers.`)
    return wrong(
      name,
      `${origin}/healthz answers ${status}.`,
      'Something else seems to listen there; check the address and the proxy before it.',
    )
  } catch (fault) {
    const { code, name: kind } = ((fault as Error).cause ?? fault) as { code?: string; name: string }
    const local = isLoopback(new URL(origin).hostname)
    if (code === 'ECONNREFUSED' || (local && code === 'ENOTFOUND')) {
      return warning(
        name,
        `Nothing listens at ${origin}: not running?`,
        'Start Postern (npm start), or the proxy before it.',
      )
    }
    if (kind === 'TimeoutError')
      return wrong(name, `${origin} does not answer within 3 s.`, 'Check the firewall and the proxy.')
    return wrong(name, `${origin} cannot be reached (${code ?? kind}).`, 'Check the DNS entry and the certificate.')
  }
}
