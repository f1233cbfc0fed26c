import { createTransport, type Transporter } from 'nodemailer'
import { smtpOptions } from '#lib/text/smtp-options'

/** One letter to one person, in its final text. */
export type Letter = { to: string; subject: string; text: string; html: string; locale: string }

/** Sends Postern's own letters; resolves once the next mail server has accepted the letter. */
export type Post = { send(letter: Letter): Promise<void>; close(): void }

// A page waits for the result: these timeouts end before the front door's deadline for the request.
const limits = { connectionTimeout: 5000, greetingTimeout: 4000, socketTimeout: 15_000 }

/** Opens pooled connections to SMTP_URL (design §7); a process without pages may have no mail server. */
export function openPost(smtpUrl: string | undefined, from: string): Post {
  const transport: Transporter = createTransport(
    { ...(smtpUrl !== undefined && smtpOptions(smtpUrl)), pool: true, maxConnections: 4, ...limits } as object,
    // Prevents automatic replies (RFC 3834 §5).
    { from, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  )
  return {
    async send({ to, subject, text, html, locale }) {
      if (smtpUrl === undefined) throw new Error('SMTP_URL is not set.')
      // As an object, the address is not parsed as a list.
      const address = { name: '', address: to }
      await transport.sendMail({ to: address, subject, text, html, headers: { 'Content-Language': locale } })
    },
    close: () => transport.close(),
  }
}
