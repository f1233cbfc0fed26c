import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type account from '../../messages/en/account.json'
import type admin from '../../messages/en/admin.json'
import type consolePages from '../../messages/en/console.json'
import type consoleApi from '../../messages/en/console-api.json'
import type consoleApps from '../../messages/en/console-apps.json'
import type consoleEvents from '../../messages/en/console-events.json'
import type consoleFailures from '../../messages/en/console-failures.json'
import type consoleProof from '../../messages/en/console-proof.json'
import type consoleTransfer from '../../messages/en/console-transfer.json'
import type consoleTry from '../../messages/en/console-try.json'
import type consoleUsage from '../../messages/en/console-usage.json'
import type core from '../../messages/en/core.json'
import type email from '../../messages/en/email.json'
import type entry from '../../messages/en/entry.json'
import type hideMyEmail from '../../messages/en/hide-my-email.json'
import type sharing from '../../messages/en/sharing.json'

/** All texts of a language; each file holds the texts of one task. */
export type Messages = typeof account &
  typeof admin &
  typeof consolePages &
  typeof consoleApi &
  typeof consoleApps &
  typeof consoleEvents &
  typeof consoleFailures &
  typeof consoleProof &
  typeof consoleTransfer &
  typeof consoleTry &
  typeof consoleUsage &
  typeof core &
  typeof email &
  typeof entry &
  typeof hideMyEmail &
  typeof sharing

/** The languages the pages are written in. */
export const locales = ['en', 'ja', 'zh-CN', 'zh-TW'] as const

export type Locale = (typeof locales)[number]

// Next bundles copies of this module; the slot on globalThis gives all of them one copy of the texts.
const slot = globalThis as { __posternMessages?: Record<Locale, Messages> }
const texts = slot.__posternMessages ?? readMessages(ourFolder())
slot.__posternMessages = texts

/** Returns the texts of a language. */
export const messagesFor = (locale: Locale): Messages => texts[locale]

/** Reads the texts of all languages again. Throws, and changes nothing, if a file is missing or is no JSON. */
export function readMessagesAgain(folder = ourFolder()): void {
  Object.assign(texts, readMessages(folder))
}

/** A module in a bundle of Next has no folder of its own; `next start` and `next build` run in the root of the checkout. */
function ourFolder(): string {
  const fromHere = `${import.meta.dirname}/../../messages`
  return existsSync(fromHere) ? fromHere : 'messages'
}

/** Read as files: as modules, they would stay in memory as text and as objects, in each bundle that imports them. */
function readMessages(folder: string): Record<Locale, Messages> {
  const root = resolve(folder)
  // English has every file of texts; the other languages also have one of rules.
  const files = readdirSync(join(root, 'en'))
  const textsIn = (locale: Locale): Messages =>
    Object.assign({}, ...files.map((file) => readJson(join(root, locale, file))))
  return { en: textsIn('en'), ja: textsIn('ja'), 'zh-CN': textsIn('zh-CN'), 'zh-TW': textsIn('zh-TW') }
}

function readJson(file: string): unknown {
  const json = readFileSync(file, 'utf8')
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error(`${file} is no JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Returns the first requested language that is supported, else English (RFC 4647 §3.4; Chinese by script). */
export function chooseLocale(...wishes: readonly (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const locale = wish ? matchLocale(wish) : undefined
    if (locale) return locale
  }
  return 'en'
}

/** Returns the first requested language among `offered`, else the first of these. */
export function chooseAmong(offered: readonly Locale[], ...wishes: readonly (string | null | undefined)[]): Locale {
  const wished = wishes.map((wish) => wish && matchLocale(wish))
  return wished.find((locale) => locale && offered.includes(locale)) || offered[0] || 'en'
}

/** Lists the tags of an Accept-Language header, the most preferred first (RFC 9110 §12.5.4). */
export function acceptedLanguages(header: string | null | undefined): string[] {
  return (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

/**
 * Lists the first ten language tags of `ui_locales` (OpenID Connect Core §3.1.2.1). Characters outside BCP 47 are
 * dropped, so that the list is safe in a header.
 */
export function requestedLanguages(text: string | null): string[] {
  return (text ?? '')
    .slice(0, 200)
    .replaceAll('_', '-')
    .split(' ')
    .filter((tag) => /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag))
    .slice(0, 10)
}

/** The name of each language in that language. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  ja: '日本語',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
}

export const isLocale = (value: unknown): value is Locale => locales.includes(value as Locale)

function matchLocale(tag: string): Locale | undefined {
  const [language, ...subtags] = tag.toLowerCase().split(/[-_]/)
  if (language === 'en' || language === 'ja') return language
  return language === 'zh' ? chineseOf(subtags) : undefined
}

/** The script takes precedence over the region: zh-Hans-HK is Simplified Chinese. */
function chineseOf(subtags: readonly string[]): Locale {
  if (subtags.includes('hans')) return 'zh-CN'
  return subtags.some((subtag) => traditional.has(subtag)) ? 'zh-TW' : 'zh-CN'
}

const traditional = new Set(['hant', 'tw', 'hk', 'mo'])

/** Replaces each placeholder `{name}` by its value; keeps a placeholder without a value. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
