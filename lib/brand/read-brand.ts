import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, readHome } from '#lib/brand/home/read-home'
import { readTexts, type Texts } from '#lib/brand/messages/read-texts'
import { type Look, readTokens } from '#lib/brand/tokens/read-tokens'
import { usualColours } from '#lib/brand/tokens/usual-tokens'
import type { Messages } from '#lib/text/messages'
import type { Rules } from '#lib/text/translate-rule'
import { BrandFault } from './brand-fault.ts'

const pictures = ['logo.svg', 'logo-dark.svg', 'favicon.svg'] as const
export type PictureName = (typeof pictures)[number]

/** A picture of the brand; the version is part of its URL, so that browsers may keep it. */
export type Picture = { bytes: Buffer; version: string }

/** What a company changes: pictures, look, texts, languages and the home page. */
export type Brand = {
  /** Whether BRAND_DIR is set; without it, everything is ours. */
  isOwn: boolean
  pictures: Partial<Record<PictureName, Picture>>
  letterLogo: Buffer | undefined
  look: Look
  /** The texts of the languages that the brand changes or adds, by language tag. */
  texts: ReadonlyMap<string, Messages>
  /** The sentences of rules of the same languages. */
  rules: ReadonlyMap<string, Rules>
  home: Block[] | undefined
}

/** Our own look. */
export const noBrand: Brand = {
  isOwn: false,
  pictures: {},
  letterLogo: undefined,
  look: { css: '', others: '', colours: usualColours },
  texts: new Map(),
  rules: new Map(),
  home: undefined,
}

const kilobyte = 1024
const largest = { picture: 64 * kilobyte, tokens: 16 * kilobyte, texts: 512 * kilobyte, home: 64 * kilobyte }

/** Reads the folder BRAND_DIR; throws a BrandFault that names the file, the line, and what to do. */
export function readBrand(folder: string): Brand {
  const names = orRefuse(folder, 'the folder cannot be read', () => readdirSync(folder)).toSorted()
  const brand: Brand = { ...noBrand, isOwn: true, pictures: {} }
  const texts = new Map<string, Texts>()
  for (const name of names.filter((one) => !/^(\.|README)/.test(one))) {
    const read = (most: number) => readPlain(join(folder, name), name, most)
    const language = /^messages\.([\w-]+)\.json$/.exec(name)?.[1]
    if (pictures.includes(name as PictureName)) brand.pictures[name as PictureName] = asSvg(read(largest.picture), name)
    else if (name === 'letter-logo.png') brand.letterLogo = asPng(read(largest.picture), name)
    else if (name === 'tokens.css') brand.look = readTokens(asText(read(largest.tokens), name), name)
    else if (name === 'home.md') brand.home = readHome(asText(read(largest.home), name), name)
    else if (language !== undefined && isLanguage(language))
      texts.set(language, readTexts(asText(read(largest.texts), name), name, language))
    else refuse(name, `the name is not known; the files are ${known}`)
  }
  if (brand.pictures['logo-dark.svg'] && !brand.pictures['logo.svg']) refuse('logo.svg', 'logo-dark.svg needs it')
  const each = <Value>(of: (one: Texts) => Value) => new Map([...texts].map(([tag, one]) => [tag, of(one)]))
  return { ...brand, texts: each(({ messages }) => messages), rules: each(({ rules }) => rules) }
}

const known = [...pictures, 'letter-logo.png', 'tokens.css', 'home.md', 'messages.LANGUAGE.json'].join(', ')

const refuse = (file: string, what: string): never => {
  throw new BrandFault(file, what)
}

/** Returns whether a tag is in the form of BCP 47, such as fr, pt-BR or zh-TW. */
const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag && tag.length <= 20
  } catch {
    return false
  }
}

/** Reads a regular file of limited size. A link could lead out of the folder. */
function readPlain(path: string, name: string, most: number): Buffer {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = orRefuse(name, 'the file cannot be read, or is a link', () => openSync(path, flags))
  try {
    if (!fstatSync(file).isFile()) refuse(name, 'this is not a file')
    const bytes = Buffer.alloc(most + 1)
    const count = readSync(file, bytes)
    if (count > most) refuse(name, `the file may have ${most} bytes`)
    return bytes.subarray(0, count)
  } finally {
    closeSync(file)
  }
}

function orRefuse<Result>(file: string, what: string, run: () => Result): Result {
  try {
    return run()
  } catch {
    return refuse(file, what)
  }
}

function asText(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse(name, 'the file is not UTF-8')
  }
}

/** A browser shows it as an image alone, in which no script runs and nothing is loaded; its content needs no further check. */
function asSvg(bytes: Buffer, name: string): Picture {
  if (!/^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE[^>]*>\s*)?<svg\b/i.test(asText(bytes, name)))
    refuse(name, 'this is no SVG')
  return { bytes, version: createHash('sha256').update(bytes).digest('base64url').slice(0, 12) }
}

/** PNG, third edition, §5.2 and §11.2.1: the signature, and the size in the first chunk. */
function asPng(bytes: Buffer, name: string): Buffer {
  const isPng =
    bytes.length > 24 && bytes.subarray(0, 8).equals(pngSignature) && bytes.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng) return refuse(name, 'this is no PNG')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === 0 || height === 0 || width > 1200 || height > 400)
    refuse(name, `the picture has ${width} × ${height} pixels; it may have 1200 × 400`)
  return bytes
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
