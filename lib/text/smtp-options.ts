import { parseConnectionUrl } from 'nodemailer/lib/shared'
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { sendsPassword, staysInClear } from './smtp-url.ts'

/**
 * Returns nodemailer's options for an SMTP_URL. A password leaves this machine only over TLS: without STARTTLS on the
 * server, the connection ends before AUTH. Only `?tls=never` sends the password unencrypted.
 */
export function smtpOptions(smtpUrl: string): Options {
  const { tls, ...options } = parseConnectionUrl(smtpUrl) as Options
  if (staysInClear(smtpUrl)) return { ...options, ignoreTLS: true }
  return { ...options, ...(tls && { tls }), ...(sendsPassword(smtpUrl) && { requireTLS: true }) }
}

type Options = SMTPConnectionOptions & { auth?: SMTPConnectionAuth }
