import type { MimePart } from '#lib/relay/mime/read-mime'

/** A kind of content for which replacing addresses is not enough (relay §6). */
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

/**
 * Returns whether a part is a file. Only a file is recognised by its first bytes: a header block or a key that is
 * pasted into the body of a message stays text.
 */
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

/**
 * Returns whether the relay cannot search a file because it is encrypted or packed in a format such as 7z, rar or xz.
 */
export function isClosedFile(type: string, name: string, bytes: Buffer): boolean {
  if (types.test(type) || names.test(name)) return true
  if (starts.some((start) => bytes.subarray(0, start.length).equals(start))) return true
  if (lha.test(bytes.toString('latin1', 2, 7)) || isLzma(bytes)) return true
  // The archive may be part of a self-extracting program or of another file.
  if (anywhere.some((mark) => bytes.includes(mark))) return true
  // OpenDocument lists its encrypted entries in this file.
  if (name === 'META-INF/manifest.xml') return bytes.includes('encryption-data')
  return bytes.subarray(0, 4).equals(compoundFile) && isEncryptedOffice(bytes)
}

const types =
  /^application\/(x-)?(7z-compressed|rar(-compressed)?|vnd\.rar|xz|bzip2?|zstd|lzip|lzma|lz4|arj|vnd\.ms-cab-compressed|x-lzh(-compressed)?|x-lha|mac-binhex40)$/i
/** File names of packed formats. Pages, Numbers and Keynote store their text in .iwa files. */
const names = /\.(7z|rar|t?xz|t?bz2?|t?zst|lz|lz4|lzma|cab|arj|ace|sitx?|br|z|iwa|iwph|lzh|lha|hqx|chm|wim)$/i

const hex = (bytes: string) => Buffer.from(bytes, 'hex')
/** 7z, rar, xz: signatures that are too long to occur by chance. */
const anywhere = ['377abcaf271c', '526172211a07', 'fd377a585a00'].map(hex)
/**
 * Returns whether bytes decoded from a text begin like an archive that the relay cannot open. Signatures below four
 * bytes are skipped, because they occur in noise.
 */
export const isClosedStream = (bytes: Buffer): boolean =>
  [...anywhere, ...starts.filter((start) => start.length >= 4)].some((mark) =>
    bytes.subarray(0, mark.length).equals(mark),
  )

/** Signatures at the start of a file: zstd, lz4, cabinet, lzip, compress (two variants), CHM, WIM, bzip2. */
const starts = [
  ...['28b52ffd', '04224d18', '4d53434600000000', '4c5a495001', '1f9d', '1fa0', '49545346', '4d5357494d'].map(hex),
  ...[...'123456789'].map((level) => Buffer.from(`BZh${level}1AY&SY`)),
]

/**
 * Returns whether bytes begin like an .lzma file, which has no signature: with properties, a dictionary size that is
 * a power of two or one and a half times that, the size of the content or all ones, and a first byte of the range
 * coder that is always zero.
 */
function isLzma(bytes: Buffer): boolean {
  if (bytes.length < 18 || (bytes[0] as number) > 224 || bytes[13] !== 0) return false
  const dictionary = bytes.readUInt32LE(1)
  const step = 2 ** Math.floor(Math.log2(dictionary))
  const isDictionary = dictionary >= 4096 && (dictionary === step || dictionary === step * 1.5)
  const size = bytes.readBigUInt64LE(5)
  return isDictionary && (size === 2n ** 64n - 1n || (size > 0n && size < 2n ** 38n))
}

const lha = /^-l[hz][0-9ds]-$/

const encryptedOffice = Buffer.from('EncryptedPackage', 'utf16le')
const sector = 512
const wordMark = 0xa5ec
const excelMark = hex('0908100000060500')
const filePass = 0x2f

/**
 * Returns whether an Office document is encrypted. New documents contain a stream of a known name, old ones a flag at
 * the start of a stream ([MS-DOC] FibBase, [MS-XLS] FilePass).
 */
function isEncryptedOffice(bytes: Buffer): boolean {
  if (bytes.includes(encryptedOffice)) return true
  for (let at = sector; at + sector <= bytes.length; at += sector) {
    if (bytes.readUInt16LE(at) === wordMark && (bytes.readUInt16LE(at + 10) & 0x0100) !== 0) return true
    const isExcel = bytes.subarray(at, at + excelMark.length).equals(excelMark)
    if (isExcel && bytes.readUInt16LE(at + 20) === filePass) return true
  }
  return false
}
