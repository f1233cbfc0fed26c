import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { smtpOptions } from '#lib/text/smtp-options'
import { smtpWarning } from '#lib/text/smtp-url'
import { type Finding, ok, warning, wrong } from './check.ts'

/** The time limit in milliseconds for the connection, and again for greeting, EHLO and TLS. */
const patience = 3000

/**
 * Checks that the mail server of SMTP_URL accepts a connection, greets, and answers EHLO and STARTTLS. Sends no
 * password.
 */
export async function checkMailServer(smtpUrl: string | undefined): Promise<Finding> {
  if (!smtpUrl) return ok('SMTP_URL', 'is not set: letters stay in the built-in mailbox.')
  const fix = 'Check host and port, and that the firewall lets this machine out.'
  if (!URL.canParse(smtpUrl)) return wrong('SMTP_URL', 'is not an address.', fix)
  const { hostname, port, protocol } = new URL(smtpUrl)
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'smtps:' ? 465 : 25)) }
  const server = `${where.host}:${where.port}`
  const socket = connect(where)
  // Without a listener, an error event after the check would end the process.
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patience) })
    const fault = await greet(socket, smtpUrl)
    if (fault) return explain(fault, server)
    const exposed = smtpWarning(smtpUrl)
    if (exposed) return warning('SMTP_URL', exposed, 'Use smtps://, or smtp:// with a server that offers STARTTLS.')
    return ok('SMTP_URL', `${server} accepts connections.`)
  } catch (fault) {
    const { code, name } = fault as NodeJS.ErrnoException
    const reason = name === 'AbortError' ? 'no answer within 3 s' : code
    return wrong('SMTP_URL', `${server} cannot be reached (${reason}).`, fix)
  } finally {
    socket.destroy()
  }
}

type Fault = Error & { code?: string | undefined; responseCode?: number | undefined }

/**
 * Waits for the greeting, the answer to EHLO, and TLS if SMTP_URL requires it. Returns the error, if there is one.
 */
async function greet(socket: Socket, smtpUrl: string): Promise<Fault | undefined> {
  const connection = new SMTPConnection({ ...smtpOptions(smtpUrl), connection: socket })
  const { promise, resolve } = Promise.withResolvers<Fault | undefined>()
  const giveUp = () => {
    const verb = connection.lastServerResponse ? 'stops answering' : 'does not greet'
    resolve(Object.assign(new Error(`accepts the connection and ${verb} within 3 s`), { code: 'ETIMEDOUT' }))
  }
  const deadline = setTimeout(giveUp, patience)
  connection.on('error', resolve)
  connection.connect((fault) => resolve(fault ?? undefined))
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    connection.close()
  }
}

function explain({ code, responseCode, message }: Fault, server: string): Finding {
  if (code === 'ETIMEDOUT') {
    const fix = 'Check that SMTP_URL names a mail server: smtps:// where TLS comes first (port 465), else smtp://.'
    return wrong('SMTP_URL', `${server} ${message}: no mail leaves.`, fix)
  }
  if (code === 'ETLS' && responseCode !== undefined) return withoutStartTls(server)
  const fix = 'Check host and port, and that the certificate of the mail server is valid for this host.'
  return wrong('SMTP_URL', `${server} is reached, but takes no mail (${message}).`, fix)
}

const withoutStartTls = (server: string): Finding =>
  wrong(
    'SMTP_URL',
    `${server} offers no STARTTLS, and a password is never sent without TLS: no mail leaves.`,
    'Use smtps:// where the server has it (port 465), or a port that offers STARTTLS (587). To send the password unencrypted nevertheless, add ?tls=never to SMTP_URL.',
  )
