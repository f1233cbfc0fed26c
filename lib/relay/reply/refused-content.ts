import type { MimePart } from '../mime/read-mime.ts'
import { isClosedFile } from './packed/closed-file.ts'

/** What names a person in ways that rewriting cannot undo (relay §6). */
export type RefusedContent =
  | 'pgp'
  | 'smime'
  | 'vcard'
  | 'calendar'
  | 'attached_message'
  | 'winmail'
  | 'uuencoded'
  | 'packed'

/** Which of them a part is, by its type, its file name or its first bytes; `text` when it is a text. */
export function refusedContent(part: MimePart, fileName: string, bytes: Buffer, text = ''): RefusedContent | undefined {
  const type = part.contentType.first
  const protocol = part.contentType.parameters.get('protocol') ?? ''
  const start = bytes.toString('latin1', 0, 4096).replaceAll('\0', '')
  const isCompoundFile = bytes.subarray(0, 4).equals(compoundFile)
  const found = signs.find(
    ({ types, names, starts }) =>
      types.test(type) || types.test(protocol) || names.test(fileName) || starts.test(start),
  )
  if (found) return found.kind
  if (isCompoundFile && bytes.includes(outlookProperty)) return 'attached_message'
  // A signature or a cipher we do not know names its maker all the same.
  if (/^multipart\/(signed|encrypted)$/.test(type)) return 'smime'
  if (isClosedFile(type, fileName, bytes)) return 'packed'
  return text === '' ? undefined : refusedText(type === 'text/plain' ? withoutQuotes(text) : text)
}

const never = /(?!)/
const mark = String.raw`^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*`

const signs: { kind: RefusedContent; types: RegExp; names: RegExp; starts: RegExp }[] = [
  {
    kind: 'pgp',
    types: /^application\/(x-)?pgp\b/i,
    names: /\.(asc|pgp|gpg)$/i,
    starts: new RegExp(`${mark}-----BEGIN PGP `),
  },
  {
    kind: 'smime',
    types: /^application\/((x-)?pkcs|pkix|x-x509|x-pem|pem-certificate|cms\b)/i,
    names: /\.(p7[bcmsz]|p12|pfx|cer|crt|der|pem)$/i,
    starts: new RegExp(`${mark}-----BEGIN (CERTIFICATE|PKCS7|CMS|X509|TRUSTED CERTIFICATE)`),
  },
  {
    kind: 'vcard',
    types: /^(text\/(x-)?vcard|text\/directory|application\/(x-)?vcard(\+\w+)?)$/i,
    names: /\.(vcf|vcard)$/i,
    starts: new RegExp(`${mark}BEGIN:VCARD`, 'i'),
  },
  {
    kind: 'calendar',
    types: /^(text\/(x-)?v?calendar|application\/(ics|(x-)?calendar(\+\w+)?))$/i,
    names: /\.(ics|ical|ifb|vcs)$/i,
    starts: new RegExp(`${mark}BEGIN:VCALENDAR`, 'i'),
  },
  {
    kind: 'attached_message',
    types: /^(message\/.*|text\/rfc822(-headers)?|application\/(vnd\.ms-outlook|mbox)|multipart\/(digest|report))$/i,
    names: /\.(eml|emlx|msg|mbox|mht|mhtml)$/i,
    starts: new RegExp(`${mark}(From \\S+@|(Return-Path|Received|Delivered-To|X-Original-To|X-Mozilla-Status):)`, 'i'),
  },
  {
    kind: 'winmail',
    types: /^application\/(vnd\.)?ms-tnef$/i,
    names: /^win(mail)?\.dat$/i,
    starts: /^\x78\x9f\x3e\x22/,
  },
  { kind: 'uuencoded', types: /^(text|application)\/x-uu(en)?code/i, names: /\.uue?$/i, starts: never },
]

const compoundFile = Buffer.from('d0cf11e0', 'hex')
const outlookProperty = Buffer.from('__substg1.0_', 'utf16le')

function refusedText(text: string): RefusedContent | undefined {
  if (/-----BEGIN PGP [A-Z ]+-----/.test(text)) return 'pgp'
  if (/-----BEGIN (CERTIFICATE|PKCS7|CMS)-----/.test(text)) return 'smime'
  return /^begin(-base64)? [0-7]{3,4} [^\r\n]+\r?\n[!-`]/m.test(text) ? 'uuencoded' : undefined
}

/** What the app wrote and the person quotes is not the person's. */
const withoutQuotes = (text: string): string => text.replace(/^[ \t]*>.*$/gm, '')
