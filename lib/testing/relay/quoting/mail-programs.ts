import {
  appleText,
  escapeHtml,
  gmailText,
  lynxText,
  outlookText,
  serialise,
  textOf,
  thunderbirdText,
} from './mail-pages.ts'

/** The input of a quote: a message of an app as the person received it. */
export type Received = {
  fromName: string
  reverse: string
  alias: string
  subject: string
  text: string | undefined
  html: string | undefined
  /** Inline pictures of the page, which mail programs send back. */
  pictures: { name: string; contentId: string; bytes: Buffer }[]
  messageId: string
}

/** The person's additions: text, and a signature with the real address. */
export type Writer = { address: string; words: string; signature: string }

/** The reply of a mail program, without the header fields that all programs write. */
export type Quoted = { fields: string; body: string }

/**
 * The quoting formats of mail programs, modeled on real messages. Each puts the reply above the quote unless its name
 * says otherwise.
 */
export const mailPrograms: Record<string, (received: Received, writer: Writer) => Quoted> = {
  gmail: (received, writer) => {
    const page = `<div dir="ltr">${paragraphs(writer.words)}<div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">${lines(writer.signature, '<br>')}</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 10:00\u202fAM ${escapeHtml(received.fromName)} &lt;<a href="mailto:${received.reverse}">${received.reverse}</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${serialise(shownPage(received), { prefixClasses: true, linkAddresses: true })}</blockquote></div>`
    const text = `${writer.words}\n\n-- \n${writer.signature}\n\n\nOn Fri, Nov 20, 2026 at 10:00\u202fAM ${received.fromName} <\n${received.reverse}> wrote:\n\n${quoteLines(textOf(shownPage(received), gmailText), '> ')}\n`
    return alternative(text, page, received.pictures)
  },
  'gmail, answered below': (received, writer) => {
    const quote = `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 10:00\u202fAM ${escapeHtml(received.fromName)} &lt;<a href="mailto:${received.reverse}">${received.reverse}</a>&gt; wrote:<br></div><blockquote class="gmail_quote">${serialise(shownPage(received), { prefixClasses: true, linkAddresses: true })}</blockquote><div><br></div><div>${paragraphs(writer.words)}</div><div dir="ltr" class="gmail_signature">${lines(writer.signature, '<br>')}</div></div>`
    return alternative(`${writer.words}\n`, `<div dir="ltr">${quote}</div>`, received.pictures)
  },
  outlook: (received, writer) => {
    const { fromName, reverse, alias, subject } = received
    const page = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--\n@font-face {font-family:Calibri;}\np.MsoNormal {margin:0cm;font-size:11.0pt;}\n--></style></head><body lang="EN-GB"><div class="WordSection1">${wordParagraphs(writer.words)}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>${wordParagraphs(writer.signature)}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> ${escapeHtml(fromName)} &lt;${reverse}&gt; <br><b>Sent:</b> Friday, November 20, 2026 10:00 AM<br><b>To:</b> ${alias}<br><b>Subject:</b> ${escapeHtml(subject)}<o:p></o:p></p></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>${serialise(shownPage(received), { word: true })}</div></body></html>`
    const text = `${writer.words}\n\n${writer.signature}\n\nFrom: ${fromName} <${reverse}> \nSent: Friday, November 20, 2026 10:00 AM\nTo: ${alias}\nSubject: ${subject}\n\n${textOf(shownPage(received), outlookText)}\n`
    return alternative(text, page, received.pictures)
  },
  'outlook on the web, behind Safe Links': (received, writer) => {
    const { fromName, reverse, alias, subject } = received
    const page = `<html><head></head><body><div class="elementToProof">${paragraphs(writer.words)}</div><div id="Signature">${lines(writer.signature, '<br>')}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>From:</b> ${escapeHtml(fromName)} &lt;${reverse}&gt;<br><b>Sent:</b> Friday, November 20, 2026 10:00 AM<br><b>To:</b> ${alias} &lt;${alias}&gt;<br><b>Subject:</b> ${escapeHtml(subject)}</font><div>&nbsp;</div></div><div>${serialise(shownPage(received), { prefixClasses: false, safeLinks: writer.address })}</div></body></html>`
    const text = `${writer.words}\n${writer.signature}\n________________________________\nFrom: ${fromName} <${reverse}>\nSent: Friday, November 20, 2026 10:00 AM\nTo: ${alias} <${alias}>\nSubject: ${subject}\n\n${textOf(shownPage(received), outlookText)}\n`
    return alternative(text, page, received.pictures)
  },
  'apple mail': (received, writer) => {
    const intro = `On 20 Nov 2026, at 10:00, ${received.fromName} <${received.reverse}> wrote:`
    const page = `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${lines(writer.words, '<br>')}<br id="lineBreakAtBeginningOfSignature"><div>-- <br>${lines(writer.signature, '<br>')}</div><div><br><blockquote type="cite"><div>${escapeHtml(intro)}</div><br class="Apple-interchange-newline"><div>${serialise(shownPage(received), {})}</div></blockquote></div><br></body></html>`
    const text = `${writer.words}\n\n-- \n${writer.signature}\n\n${quoteLines(`${intro}\n\n${textOf(shownPage(received), appleText)}`, '> ')}\n`
    return alternative(text, page, received.pictures)
  },
  thunderbird: (received, writer) => {
    const page = `<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">\n  </head>\n  <body>\n    <p>${lines(writer.words, '<br>\n    ')}</p>\n    <div class="moz-signature">-- <br>\n      ${lines(writer.signature, '<br>\n      ')}</div>\n    <div class="moz-cite-prefix">On 11/20/26 10:00, ${escapeHtml(received.fromName)} wrote:<br>\n    </div>\n    <blockquote type="cite" cite="mid:${received.messageId.slice(1, -1)}">\n      ${serialise(shownPage(received), { indent: true })}\n    </blockquote>\n    <br>\n  </body>\n</html>\n`
    return onePart('text/html', page)
  },
  'thunderbird, plain and flowed, answered below': (received, writer) =>
    onePart(
      'text/plain',
      `On 11/20/26 10:00, ${received.fromName} wrote:\n${quoteLines(wrap(textOf(shownPage(received), thunderbirdText), 70, ' '), '> ', /^>/)}\n\n${writer.words}\n\n-- \n${writer.signature}\n`,
      '; format=flowed',
    ),
  mutt: (received, writer) =>
    onePart(
      'text/plain',
      `On Fri, Nov 20, 2026 at 10:00:00AM +0000, ${received.fromName} wrote:\n${quoteLines(received.text ?? textOf(shownPage(received), lynxText), '> ')}\n\n${writer.words}\n\n-- \n${writer.signature}\n`,
    ),
  'mutt, rewrapped': (received, writer) =>
    onePart(
      'text/plain',
      `${writer.words}\n\nOn Fri, Nov 20, 2026 at 10:00:00AM +0000, ${received.fromName} wrote:\n${quoteLines(wrap(received.text ?? textOf(shownPage(received), lynxText), 68, ''), '> ')}\n\n-- \n${writer.signature}\n`,
    ),
}

const shownPage = ({ html, text }: Received): string => html ?? `<pre>${escapeHtml(text ?? '')}</pre>`

function onePart(type: string, content: string, more = ''): Quoted {
  return {
    fields: `Content-Type: ${type}; charset=UTF-8${more}\r\nContent-Transfer-Encoding: base64\r\n`,
    body: base64(Buffer.from(content.replace(/\r?\n/g, '\r\n'))),
  }
}

function alternative(text: string, html: string, pictures: Received['pictures']): Quoted {
  const leaf = (type: string, content: string) => {
    const { fields, body } = onePart(type, content)
    return `${fields}\r\n${body}`
  }
  const two = `--alt\r\n${leaf('text/plain', text)}\r\n--alt\r\n${leaf('text/html', html)}\r\n--alt--\r\n`
  const kind = 'Content-Type: multipart/alternative; boundary="alt"\r\n'
  if (pictures.length === 0) return { fields: kind, body: two }
  const shown = pictures.map(
    ({ name, contentId, bytes }) =>
      `--rel\r\nContent-Type: image/png; name="${name}"\r\nContent-Disposition: inline; filename="${name}"\r\nContent-ID: <${contentId}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`,
  )
  return {
    fields: 'Content-Type: multipart/related; boundary="rel"\r\n',
    body: `--rel\r\n${kind}\r\n${two}\r\n${shown.join('')}--rel--\r\n`,
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
const lines = (text: string, by: string): string => text.split('\n').map(escapeHtml).join(by)
const paragraphs = (text: string): string => `<div>${lines(text, '</div><div>')}</div>`
const wordParagraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p class="MsoNormal">${escapeHtml(line)}<o:p></o:p></p>`)
    .join('')

/** Adds a quote prefix to each line. Some programs write no space between two `>`. */
const quoteLines = (text: string, by: string, tight = /(?!)/): string =>
  text
    .split('\n')
    .map((line) => (tight.test(line) ? `>${line}` : line === '' ? by.trimEnd() : by + line))
    .join('\n')

/** Wraps lines at a maximum length; `end` follows each line that continues. */
const wrap = (text: string, width: number, end: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(new RegExp(`(?=.{${width}})(.{1,${width}})\\s+`, 'g'), `$1${end}\n`))
    .join('\n')
