import type { MimePart } from '#lib/relay/mime/read-mime'

/** A kind of content that needs more than its addresses replaced (relay §6). */
export type ContentKind =
  | 'signature'
  | 'key'
  | 'pgp_encrypted'
  | 'smime'
  | 'message'
  | 'report'
  | 'closed_message'
  | 'winmail'
  | 'calendar'
  | 'closed_file'

/** Returns the special kind of a leaf by its type, file name or first bytes; undefined for ordinary content. */
export function contentKind(part: MimePart, fileName: string, bytes: Buffer): ContentKind | undefined {
  const type = part.contentType.first
  const start = bytes.toString('latin1', 0, 4096)
  const found = signs.find(
    ({ types, names, starts }) => types.test(type) || names.test(fileName) || (isFile(part) && starts.test(start)),
  )
  if (found) return found.kind
  return bytes.subarray(0, 4).equals(compoundFile) && bytes.includes(outlookProperty) ? 'closed_message' : undefined
}

/** A header block or a key that is pasted into the body of a message stays text. */
const isFile = (part: MimePart): boolean =>
  part.disposition.first === 'attachment' || !part.contentType.first.startsWith('text/')

const never = /(?!)/
const mark = String.raw`^(?:\xef\xbb\xbf)?\s*`

const signs: { kind: ContentKind; types: RegExp; names: RegExp; starts: RegExp }[] = [
  {
    kind: 'signature',
    types: /^application\/((x-)?pgp-signature|(x-)?pkcs7-signature)$/,
    names: /\.(sig|p7s)$/i,
    starts: new RegExp(`${mark}-----BEGIN PGP SIGNATURE-----`),
  },
  {
    kind: 'key',
    types: /^application\/(x-)?pgp-keys$/,
    names: never,
    starts: new RegExp(`${mark}-----BEGIN PGP (PUBLIC|PRIVATE) KEY BLOCK-----`),
  },
  {
    kind: 'pgp_encrypted',
    types: /^application\/(x-)?pgp(-encrypted)?$/,
    names: /\.(pgp|gpg)$/i,
    starts: new RegExp(`${mark}-----BEGIN PGP MESSAGE`),
  },
  { kind: 'smime', types: /^application\/(x-)?pkcs7-mime$/, names: /\.(p7m|p7z|p7c)$/i, starts: never },
  { kind: 'closed_file', types: /^application\/(x-)?pkcs12$/, names: /\.(p12|pfx)$/i, starts: never },
  {
    kind: 'message',
    types: /^(message\/(rfc822|global|(rfc822|global)-headers)|text\/rfc822(-headers)?)$/,
    names: /\.eml$/i,
    starts: new RegExp(`${mark}(Return-Path|Received|Delivered-To|X-Original-To|X-Mozilla-Status): `, 'i'),
  },
  {
    kind: 'report',
    types: /^message\/((global-)?delivery-status|(global-)?disposition-notification|feedback-report)$/,
    names: never,
    starts: never,
  },
  {
    kind: 'closed_message',
    types: /^(message\/.*|application\/(vnd\.ms-outlook|mbox))$/,
    names: /\.(emlx|msg|mbox|oft|pst|ost)$/i,
    starts: new RegExp(`${mark}From \\S+@\\S+ `),
  },
  {
    kind: 'winmail',
    types: /^application\/(vnd\.)?ms-tnef$/,
    names: /^win(mail)?\.dat$/i,
    starts: /^\x78\x9f\x3e\x22/,
  },
  {
    kind: 'calendar',
    types: /^(text\/(x-)?v?calendar|application\/(ics|(x-)?calendar))$/,
    names: /\.(ics|ical|ifb|vcs)$/i,
    starts: new RegExp(`${mark}BEGIN:VCALENDAR`, 'i'),
  },
]

const compoundFile = Buffer.from('d0cf11e0', 'hex')
const outlookProperty = Buffer.from('__substg1.0_', 'utf16le')
