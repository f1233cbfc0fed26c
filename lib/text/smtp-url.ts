import { isLoopback } from './loopback.ts'

/** Returns a warning for an SMTP_URL that exposes its password; undefined for any other URL. */
export function smtpWarning(smtpUrl: string): string | undefined {
  if (!sendsPassword(smtpUrl)) return undefined
  if (staysInClear(smtpUrl)) return 'says tls=never: its password and every e-mail leave this machine unencrypted.'
  if (new URL(smtpUrl).searchParams.get('tls.rejectUnauthorized') === 'false')
    return 'says tls.rejectUnauthorized=false: any server may pose as the mail server and read its password.'
  return undefined
}

/** Returns the problem of the `tls` option of an SMTP_URL, if any. */
export function tlsProblem(smtpUrl: string): string | undefined {
  const wishes = URL.canParse(smtpUrl) ? new URL(smtpUrl).searchParams.getAll('tls') : []
  if (wishes.length === 0) return undefined
  if (wishes.length > 1 || wishes[0] !== 'never') return 'may say tls=never, and no other tls'
  return smtpUrl.startsWith('smtps:') ? 'cannot say both smtps and tls=never' : undefined
}

/** Returns whether the URL disables TLS explicitly. */
export const staysInClear = (smtpUrl: string) => new URL(smtpUrl).searchParams.get('tls') === 'never'

/** Returns whether the URL sends a password beyond this machine. */
export function sendsPassword(smtpUrl: string): boolean {
  const { username, password, hostname } = new URL(smtpUrl)
  return (username !== '' || password !== '') && !isLoopback(hostname)
}
