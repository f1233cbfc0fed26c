import type { Server } from 'node:net'
import { createTransport, type Transporter } from 'nodemailer'
import PostalMime, { type Attachment } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { smtpOptions } from '#lib/text/smtp-options'

/** One letter to one person, in its final text. */
export type Letter = {
  to: string
  subject: string
  text: string
  html: string
  locale: string
  /** A PNG, which the HTML shows by its content id. */
  logo?: Buffer | undefined
}

/** Sends Postern's own letters; resolves once the next mail server has accepted the letter. */
export type Post = { send(letter: Letter): Promise<void>; close(): void }

// A page waits for the result. Connecting ends before the front door's deadline. A mail server that scans a letter may
// take longer than that: then the person reads that the letter was late, and it still arrives.
const limits = { connectionTimeout: 5000, greetingTimeout: 4000, socketTimeout: 15_000 }

/** The content id of the logo (RFC 2392). */
export const logoId = 'logo'

/** The headers of a letter's author: From, Reply-To if replies reach a person, and the service. */
export type Sender = { mailFrom: string; mailReplyTo: string | undefined; serviceName: string; accountUrl: string }

/** Opens pooled connections to SMTP_URL (design §7); a process without pages may have no mail server. */
export function openPost(smtpUrl: string | undefined, sender: Sender): Post {
  const { mailFrom: from, mailReplyTo: replyTo, serviceName, accountUrl } = sender
  const transport: Transporter = createTransport(
    { ...(smtpUrl !== undefined && smtpOptions(smtpUrl)), pool: true, maxConnections: 4, ...limits } as object,
    {
      from,
      // Without Reply-To, a reply goes to From, and the letter says that replies are not read.
      ...(replyTo && { replyTo }),
      // Names the stream of letters, so that a person can sort them (RFC 2919).
      list: { id: { url: `letters.${new URL(accountUrl).hostname}`, comment: serviceName } },
      // Prevents automatic replies (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    },
  )
  return {
    async send({ to, subject, text, html, locale, logo }) {
      if (smtpUrl === undefined) throw new Error('SMTP_URL is not set.')
      // As an object, the address is not parsed as a list.
      const address = { name: '', address: to }
      const attachments = logo && [
        { filename: 'logo.png', content: logo, cid: logoId, contentDisposition: 'inline' as const },
      ]
      const headers = { 'Content-Language': locale }
      await transport.sendMail({ to: address, subject, text, html, headers, ...(attachments && { attachments }) })
    },
    close: () => transport.close(),
  }
}

/** A message that arrived in the evaluation's mailbox. */
export type Arrived = {
  id: number
  at: Date
  /** The recipients of the SMTP envelope. */
  to: string[]
  /** The From header. */
  from: string
  subject: string
  text: string
  html: string
  raw: string
}

/** The mailbox of an evaluation: an SMTP server on loopback. /dev/inbox shows its messages. */
export type Mailbox = { url: string; list(): Arrived[]; find(id: number): Arrived | undefined; close(): Promise<void> }

const mostKept = 200
const largest = 30 * 1024 * 1024

/** Opens a mailbox on a free port of this machine; it keeps the latest messages in memory. */
export async function openMailbox(now: () => Date): Promise<Mailbox> {
  const letters: Arrived[] = []
  let count = 0
  const keep = async (raw: Buffer, to: string[]) => {
    const { from, subject = '', text = '', html: sent = '', attachments } = await PostalMime.parse(raw)
    const html = withPictures(sent, attachments)
    const author = from?.name ? `${from.name} <${from.address}>` : (from?.address ?? '')
    letters.unshift({ id: ++count, at: now(), to, from: author, subject, text, html, raw: raw.toString('utf8') })
    letters.length = Math.min(letters.length, mostKept)
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: largest,
    // Closes open connections at once: the messages are in memory only.
    closeTimeout: 100,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', done)
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        keep(Buffer.concat(chunks), to).then(() => done(), done)
      })
    },
  })
  server.on('error', () => undefined)
  const port = await listen(server)
  return {
    url: `smtp://127.0.0.1:${port}`,
    list: () => letters,
    find: (id) => letters.find((letter) => letter.id === id),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Puts the pictures that a message brings along into its HTML (RFC 2392), as its reader sees them. */
function withPictures(html: string, attachments: Attachment[]): string {
  const pictures = new Map(
    attachments
      .filter(({ mimeType, contentId }) => contentId && /^image\/(png|jpeg|gif|webp)$/.test(mimeType))
      .map(({ mimeType, contentId = '', content }) => [
        contentId.replace(/^<|>$/g, ''),
        `data:${mimeType};base64,${Buffer.from(content as ArrayBuffer).toString('base64')}`,
      ]),
  )
  return pictures.size === 0
    ? html
    : html.replace(/cid:([^"'\s>)]+)/g, (whole, id: string) => pictures.get(id) ?? whole)
}

function listen(server: SMTPServer): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(0, '127.0.0.1', () => {
      resolve((listener.address() as { port: number }).port)
    }) as Server
    listener.once('error', reject)
  })
}
