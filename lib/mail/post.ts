import { createTransport, type Transporter } from 'nodemailer'
import { smtpOptions } from '#lib/text/smtp-options'

/** One letter to one person, written out in full. */
export type Letter = { to: string; subject: string; text: string; html: string; locale: string }

/** Sends letters of our own; resolves once the next mail server has taken the letter. */
export type Post = { send(letter: Letter): Promise<void>; close(): void }

// A person waits for the page that says whether the letter left: a dead mail server is known before the front door
// refuses their request.
const limits = { connectionTimeout: 5000, greetingTimeout: 4000, socketTimeout: 15_000 }

/** Letters leave through SMTP_URL, over connections that are kept (design §7); a process without pages may have none. */
export function openPost(smtpUrl: string | undefined, from: string): Post {
  const transport: Transporter = createTransport(
    { ...(smtpUrl !== undefined && smtpOptions(smtpUrl)), pool: true, maxConnections: 4, ...limits } as object,
    // Nobody answers, and no robot should.
    { from, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  )
  return {
    async send({ to, subject, text, html, locale }) {
      if (smtpUrl === undefined) throw new Error('SMTP_URL is not set.')
      // As an object, an address is never read as a list of several.
      const address = { name: '', address: to }
      await transport.sendMail({ to: address, subject, text, html, headers: { 'Content-Language': locale } })
    },
    close: () => transport.close(),
  }
}
