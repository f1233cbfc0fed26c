import { isClosedZip } from './unpack.ts'

/** Whether a file cannot be looked into: the gate opens zip, gzip and deflate, without a password. */
export function isClosedFile(type: string, name: string, bytes: Buffer): boolean {
  if (types.test(type) || names.test(name)) return true
  if (starts.some((start) => bytes.subarray(0, start.length).equals(start))) return true
  if (bytes.subarray(0, 4).equals(compoundFile)) return bytes.includes(encryptedOffice)
  if (bytes.subarray(0, 1024).includes('%PDF-')) return /\/Encrypt\s/.test(bytes.toString('latin1'))
  return isClosedZip(bytes)
}

const types =
  /^application\/(x-)?(7z-compressed|rar(-compressed)?|vnd\.rar|xz|bzip2?|zstd|lzip|lzma|lz4|arj|vnd\.ms-cab-compressed)$/i
const names = /\.(7z|rar|t?xz|t?bz2?|t?zst|lz|lz4|lzma|cab|arj|ace|sitx?|br|z)$/i

const hex = (bytes: string) => Buffer.from(bytes, 'hex')
const [sevenZip, rar, xz, zstd, lz4] = ['377abcaf271c', '526172211a07', 'fd377a585a00', '28b52ffd', '04224d18'].map(hex)
const [cabinet, lzip, compress, lzh] = ['4d53434600000000', '4c5a495001', '1f9d', '1fa0'].map(hex)
const bzip2 = [...'123456789'].map((level) => Buffer.from(`BZh${level}1AY&SY`))
const starts = [sevenZip, rar, xz, zstd, lz4, cabinet, lzip, compress, lzh, ...bzip2] as Buffer[]

const compoundFile = hex('d0cf11e0')
const encryptedOffice = Buffer.from('EncryptedPackage', 'utf16le')
