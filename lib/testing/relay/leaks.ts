import fc from 'fast-check'
import { aboutReply } from './reply.ts'

/** The person's address, which the messages of these tests contain. */
export const planted = 'alice@example.org'

const [local, domain] = planted.split('@') as [string, string]
const each = (text: string, encode: (code: number) => string) =>
  Array.from(text, (char) => encode(char.charCodeAt(0))).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')

/** Spellings of an address that the relay finds in a text and replaces. */
export const textSpellings: Record<string, string> = {
  plain: planted,
  capitals: planted.toUpperCase(),
  percent: `${local}%40${domain}`,
  'percent twice': `${local}%2540${domain}`,
  'percent throughout': each(planted, (code) => `%${hex(code)}`),
  'quoted-printable left over': `${local}=40${domain}`,
  'decimal entity': `${local}&#64;${domain}`,
  'hexadecimal entities throughout': each(planted, (code) => `&#x${hex(code)};`),
  'named entity': `${local}&commat;example&period;org`,
  'escaped entity': `${local}&amp;#64;${domain}`,
  'bounce address': `bounces+${local}=${domain}@app.example`,
  'soft line break left over': `ali=\r\nce@exam=\r\nple.org`,
  'tags inside': `${local}<b>@exam</b><wbr>ple.org`,
  'invisible characters inside': `${local}\u200b@\u00adexample.org`,
  'isolates inside': `${local}\u2068@\u2069exam\u{e0100}ple.org`,
  'link of a gateway': `https://urldefense.example/v2/url?u=e-3D${local}-40${domain}&d=x`,
  'link of a newer gateway': `https://urldefense.example/v3/__e=${local}*40${domain}__;JQ`,
  'in words with lines': `${local}_at_example_dot_org`,
  script: `${local}\\u0040${domain}`,
  'script of old': `${local}%u0040${domain}`,
  octal: `${local}\\100${domain}`,
  'Markdown escapes': `${local}\\@example\\.org`,
  'local part in quotes': `"${local}"@${domain}`,
  'blanks around the sign': `${local} @ ${domain}`,
  'no-break spaces around the sign': `${local}&nbsp;@\u00a0${domain}`,
  'sign in brackets': `${local}(@)${domain}`,
  written: `${local} (at) ${domain}`,
  'written without brackets': `${local} at ${domain}`,
  'written, the dot too': `${local} [at] example [dot] org`,
  'with a tag': `${local}+shop@${domain}`,
  base64: Buffer.from(planted).toString('base64'),
  'base64 in something': Buffer.from(`{"id":7,"to":"${planted}"}`).toString('base64url'),
  'base64 of UTF-16': Buffer.from(`x ${planted} y`, 'utf16le').toString('base64'),
  hexadecimal: Buffer.from(planted).toString('hex'),
}

/** Spellings that only the leak gate finds, so that the relay rejects the message. */
export const deepSpellings: Record<string, string> = {
  'base64 twice': Buffer.from(Buffer.from(` ${planted} `).toString('base64')).toString('base64'),
  'base64 in lines': Buffer.from(`x ${planted} y`).toString('base64').replace(/.{8}/g, '$&\r\n'),
  'comment with a bracket': `${local}<!-- > -->@${domain}`,
  'tag with a bracket': `${local}<a title=">">@</a>${domain}`,
  'octal UTF-16': `(\\376\\377${each(planted, (code) => `\\000${String.fromCharCode(code)}`)})`,
  'spaced hexadecimal': `<${each(planted, (code) => `${hex(code)} `)}>`,
  'full width': `${local}\uff20\uff45\uff58ample.org`,
  'entities of percent': `${local}&#37;40${domain}`,
}

type Body = { charset: string; encoding: string; text: string }
export type Planted = { message: Buffer; place: string; spelling: string; survives: boolean }

const charsets: Record<string, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text) => Buffer.from(text.replace(/[^\0-\xff]/g, '-'), 'latin1'),
  gb18030: (text) => Buffer.from(text.replace(/[^\0-\x7f]/g, '-')),
  'iso-2022-jp': (text) => Buffer.from(`\x1b$B$3\x1b(B ${text.replace(/[^\0-\x7f]/g, '-')}`, 'latin1'),
}

/** Encodes a body with a line break after every `width` characters, which may split the address anywhere. */
function encode(bytes: Buffer, encoding: string, width: number): string {
  if (encoding === 'base64') return bytes.toString('base64').replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
  if (encoding !== 'quoted-printable') return bytes.toString('latin1')
  const marks = [...bytes].map((byte) =>
    byte > 32 && byte < 127 && byte !== 61 ? String.fromCharCode(byte) : `=${hex(byte).toUpperCase()}`,
  )
  return marks.map((mark, at) => (at % width === width - 1 ? `${mark}=\r\n` : mark)).join('')
}

const words = fc.stringMatching(/^[a-zäöü ,.\r\n]{0,40}$/).map((text) => text.replace(/\r?\n?/g, ''))

const body: fc.Arbitrary<Omit<Body, 'text'> & { width: number; before: string; after: string }> = fc.record({
  charset: fc.constantFrom(...Object.keys(charsets)),
  encoding: fc.constantFrom('8bit', 'quoted-printable', 'base64'),
  width: fc.integer({ min: 1, max: 70 }),
  before: words,
  after: words,
})

/** Places in a message. Each returns a part (header fields and body) with the address, or a field of the message. */
const places: Record<
  string,
  (
    encoded: string,
    width: number,
  ) => { head?: string; part?: string; around?: string; boundary?: string; survives?: boolean }
> = {
  subject: (encoded) => ({ head: `Subject: Re: ${oneLine(encoded)}` }),
  'subject in encoded words': (encoded, width) => ({ head: `Subject: ${inWords(`Re: ${encoded}`, width)}` }),
  'field of the message': (encoded) => ({ head: `X-Account: ${oneLine(encoded)}` }),
  'Message-ID': () => ({ head: `Message-ID: <1.${planted}>\r\nReferences: <2.=${planted}>` }),
  'around the parts': (encoded) => ({ around: encoded }),
  boundary: () => ({ boundary: planted }),
  'file name': () => ({
    part: `Content-Type: image/png\r\nContent-Disposition: attachment; filename="${planted}.png"\r\n\r\nx`,
  }),
  'file name in pieces': () => ({
    part: `Content-Type: image/png\r\nContent-Disposition: attachment; filename*0*=UTF-8''%61lic; filename*1="e@exam";\r\n filename*2*=ple%2Eorg.png\r\n\r\nx`,
  }),
  'file name in encoded words': (_, width) => ({
    part: `Content-Type: image/png; name="${inWords(planted, width)}"\r\n\r\nx`,
  }),
  'Content-ID': () => ({
    part: `Content-Type: image/png\r\nContent-ID: <part1.1.${planted}>\r\nContent-ID: <=${planted}>\r\n\r\nx`,
  }),
  'field of a part': (encoded) => ({
    part: `Content-Type: image/png; x-owner="${planted}"\r\nContent-Description: ${oneLine(encoded)}\r\n\r\nx`,
  }),
  'bytes of a file': () => ({ part: `Content-Type: image/png\r\n\r\n\x01\x02${planted}\x03`, survives: false }),
  'bytes of a file in base64': (_, width) => ({
    part: `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${encode(Buffer.from(`\x89 ${planted}`), 'base64', width)}`,
    survives: false,
  }),
  'bytes of a file in UTF-16': () => ({
    part: `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`\x89 ${planted}`, 'utf16le').toString('base64')}`,
    survives: false,
  }),
}

const oneLine = (text: string): string => text.replace(/=?\r\n/g, '')

function inWords(text: string, width: number): string {
  const pieces = text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []
  return pieces
    .map((piece, at) =>
      at % 2
        ? `=?utf-8?B?${Buffer.from(piece, 'latin1').toString('base64')}?=`
        : `=?UTF-8?q?${each(piece, (code) => `=${hex(code)}`)}?=`,
    )
    .join(' ')
}

/** Generates messages of random shape that contain the address in a random place and spelling. */
export const plantedMessages: fc.Arbitrary<Planted> = fc
  .record({
    spelling: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...Object.keys(textSpellings)) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(deepSpellings)) },
    ),
    place: fc.oneof(
      { weight: 2, arbitrary: fc.constant('text') },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(places)) },
    ),
    subtype: fc.constantFrom('plain', 'html'),
    format: body,
    others: fc.array(body, { maxLength: 3 }),
    depth: fc.integer({ min: 0, max: 4 }),
    kinds: fc.constantFrom('mixed', 'alternative', 'related', 'x-other'),
    at: fc.nat(3),
  })
  .map(({ spelling, place, subtype, format, others, depth, kinds, at }) => {
    const encoded = (textSpellings[spelling] ?? deepSpellings[spelling]) as string
    // A charset without one of these characters would change the spelling.
    const charset = /[^\0-\x7f]/.test(encoded) && !format.charset.startsWith('utf') ? 'utf-8' : format.charset
    const made = places[place]?.(Buffer.from(encoded).toString('latin1'), format.width) ?? {
      part: leaf({ ...format, charset, subtype, text: `${format.before} ${encoded} ${format.after}` }),
    }
    const parts = others.map((one) => leaf({ ...one, subtype: 'plain', text: `${one.before} ${one.after}` }))
    parts.splice(at % (parts.length + 1), 0, made.part ?? leaf({ ...format, subtype, text: format.before }))
    // A field is a single line, so a text that was split into lines becomes readable again.
    const isRewritten = spelling in textSpellings || (spelling === 'base64 in lines' && place !== 'text')
    const isText = ['text', 'subject', 'subject in encoded words'].includes(place)
    return {
      place,
      spelling,
      survives: made.survives ?? (!isText || isRewritten),
      message: assemble({
        parts,
        depth,
        kinds,
        head: made.head,
        around: made.around ?? '',
        boundary: made.boundary ?? 'b',
      }),
    }
  })

/** Returns a message of one part with the encoded address, under the boundary `0/b`. */
export function messageOf({
  encoded,
  ...format
}: Omit<Body, 'text'> & { width: number; subtype: string; encoded: string }) {
  const part = leaf({ ...format, text: ` ${encoded} ` })
  return assemble({ parts: [part], depth: 0, kinds: 'mixed', head: undefined, around: '', boundary: 'b' })
}

function leaf({ charset, encoding, width, text, subtype }: Body & { width: number; subtype: string }): string {
  // UTF-16 has bytes that are line breaks in ASCII, so it cannot be sent as 8bit.
  const transfer = charset.startsWith('utf-16') && encoding === '8bit' ? 'base64' : encoding
  const bytes = (charsets[charset] as (text: string) => Buffer)(text)
  return `Content-Type: text/${subtype}; charset=${charset}\r\nContent-Transfer-Encoding: ${transfer}\r\n\r\n${encode(bytes, transfer, width)}`
}

type Shape = {
  parts: string[]
  depth: number
  kinds: string
  head: string | undefined
  around: string
  boundary: string
}

function assemble({ parts, depth, kinds, head = 'X-Nothing: here', around, boundary }: Shape): Buffer {
  const wrap = (inner: string[], level: number) =>
    `Content-Type: multipart/${kinds}; boundary="${level}/${boundary}"\r\n\r\n${around}\r\n${inner.map((part) => `--${level}/${boundary}\r\n${part}\r\n`).join('')}--${level}/${boundary}--\r\n${around}`
  let tree = wrap(parts, 0)
  for (let level = 1; level <= depth; level++) tree = wrap([tree], level)
  return Buffer.from(`From: "${planted}" <${planted}>\r\nTo: ${aboutReply.reverse}\r\n${head}\r\n${tree}`, 'latin1')
}
