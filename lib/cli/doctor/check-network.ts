import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Config } from '#lib/server/settings/config'
import { isLoopback } from '#lib/text/loopback'
import { needsStartTls, smtpWarning } from '#lib/text/smtp-url'
import { type Finding, ok, warning, wrong } from './check.ts'

/** Whether this machine reaches the two hosts and the mail server (3 s each, all at once). */
export function checkNetwork(config: Config): Promise<Finding[]> {
  const { issuer, accountUrl, smtpUrl } = config
  const reached = [checkHost('ISSUER', issuer), checkHost('ACCOUNT_URL', accountUrl), checkMailServer(smtpUrl)]
  return Promise.all([...reached, ...checkProxy(config)])
}

/** TLS ends in front of Postern, so a public installation has a proxy. */
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

async function checkMailServer(smtpUrl: string | undefined): Promise<Finding> {
  if (!smtpUrl) return ok('SMTP_URL', 'is not set: letters stay in the built-in mailbox.')
  const fix = 'Check host and port, and that the firewall lets this machine out.'
  if (!URL.canParse(smtpUrl)) return wrong('SMTP_URL', 'is not an address.', fix)
  const { hostname, port, protocol } = new URL(smtpUrl)
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'smtps:' ? 465 : 25)) }
  const socket = connect(where)
  // A connection that breaks later has no offer; the event must not end the process.
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patience) })
    const exposed = smtpWarning(smtpUrl)
    if (exposed) return warning('SMTP_URL', exposed, 'Use smtps://, or smtp:// with a server that offers STARTTLS.')
    if (needsStartTls(smtpUrl) && !(await offersStartTls(socket))) return withoutStartTls(where)
    return ok('SMTP_URL', `${where.host}:${where.port} accepts connections.`)
  } catch (fault) {
    const { code, name } = fault as NodeJS.ErrnoException
    return wrong(
      'SMTP_URL',
      `${where.host}:${where.port} cannot be reached (${name === 'AbortError' ? 'no answer within 3 s' : code}).`,
      fix,
    )
  } finally {
    socket.destroy()
  }
}

const withoutStartTls = ({ host, port }: { host: string; port: number }): Finding =>
  wrong(
    'SMTP_URL',
    `${host}:${port} offers no STARTTLS, and a password is never sent without TLS: no mail leaves.`,
    'Use smtps:// where the server has it (port 465), or a port that offers STARTTLS (587). To send the password unencrypted nevertheless, add ?tls=never to SMTP_URL.',
  )

/** Reads the greeting and the answer to EHLO (RFC 5321 §4.1.1.1). */
async function offersStartTls(socket: Socket): Promise<boolean> {
  let greeted = false
  let offers = false
  const deadline = setTimeout(() => socket.destroy(), patience)
  try {
    for await (const line of createInterface({ input: socket })) {
      if (greeted && /^250[ -]STARTTLS\b/i.test(line)) offers = true
      if (!/^\d{3} /.test(line)) continue
      if (greeted) return offers
      greeted = true
      socket.write('EHLO postern.invalid\r\n')
    }
    return false
  } finally {
    clearTimeout(deadline)
  }
}
