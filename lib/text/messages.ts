import enAccount from '../../messages/en/account.json' with { type: 'json' }
import enAdmin from '../../messages/en/admin.json' with { type: 'json' }
import enConsole from '../../messages/en/console.json' with { type: 'json' }
import enConsoleApi from '../../messages/en/console-api.json' with { type: 'json' }
import enConsoleApps from '../../messages/en/console-apps.json' with { type: 'json' }
import enConsoleEvents from '../../messages/en/console-events.json' with { type: 'json' }
import enConsoleFailures from '../../messages/en/console-failures.json' with { type: 'json' }
import enConsoleProof from '../../messages/en/console-proof.json' with { type: 'json' }
import enConsoleTransfer from '../../messages/en/console-transfer.json' with { type: 'json' }
import enConsoleTry from '../../messages/en/console-try.json' with { type: 'json' }
import enConsoleUsage from '../../messages/en/console-usage.json' with { type: 'json' }
import enCore from '../../messages/en/core.json' with { type: 'json' }
import enEmail from '../../messages/en/email.json' with { type: 'json' }
import enEntry from '../../messages/en/entry.json' with { type: 'json' }
import enHideMyEmail from '../../messages/en/hide-my-email.json' with { type: 'json' }
import enSharing from '../../messages/en/sharing.json' with { type: 'json' }
import jaAccount from '../../messages/ja/account.json' with { type: 'json' }
import jaAdmin from '../../messages/ja/admin.json' with { type: 'json' }
import jaConsole from '../../messages/ja/console.json' with { type: 'json' }
import jaConsoleApi from '../../messages/ja/console-api.json' with { type: 'json' }
import jaConsoleApps from '../../messages/ja/console-apps.json' with { type: 'json' }
import jaConsoleEvents from '../../messages/ja/console-events.json' with { type: 'json' }
import jaConsoleFailures from '../../messages/ja/console-failures.json' with { type: 'json' }
import jaConsoleProof from '../../messages/ja/console-proof.json' with { type: 'json' }
import jaConsoleTransfer from '../../messages/ja/console-transfer.json' with { type: 'json' }
import jaConsoleTry from '../../messages/ja/console-try.json' with { type: 'json' }
import jaConsoleUsage from '../../messages/ja/console-usage.json' with { type: 'json' }
import jaCore from '../../messages/ja/core.json' with { type: 'json' }
import jaEmail from '../../messages/ja/email.json' with { type: 'json' }
import jaEntry from '../../messages/ja/entry.json' with { type: 'json' }
import jaHideMyEmail from '../../messages/ja/hide-my-email.json' with { type: 'json' }
import jaSharing from '../../messages/ja/sharing.json' with { type: 'json' }
import zhCNAccount from '../../messages/zh-CN/account.json' with { type: 'json' }
import zhCNAdmin from '../../messages/zh-CN/admin.json' with { type: 'json' }
import zhCNConsole from '../../messages/zh-CN/console.json' with { type: 'json' }
import zhCNConsoleApi from '../../messages/zh-CN/console-api.json' with { type: 'json' }
import zhCNConsoleApps from '../../messages/zh-CN/console-apps.json' with { type: 'json' }
import zhCNConsoleEvents from '../../messages/zh-CN/console-events.json' with { type: 'json' }
import zhCNConsoleFailures from '../../messages/zh-CN/console-failures.json' with { type: 'json' }
import zhCNConsoleProof from '../../messages/zh-CN/console-proof.json' with { type: 'json' }
import zhCNConsoleTransfer from '../../messages/zh-CN/console-transfer.json' with { type: 'json' }
import zhCNConsoleTry from '../../messages/zh-CN/console-try.json' with { type: 'json' }
import zhCNConsoleUsage from '../../messages/zh-CN/console-usage.json' with { type: 'json' }
import zhCNCore from '../../messages/zh-CN/core.json' with { type: 'json' }
import zhCNEmail from '../../messages/zh-CN/email.json' with { type: 'json' }
import zhCNEntry from '../../messages/zh-CN/entry.json' with { type: 'json' }
import zhCNHideMyEmail from '../../messages/zh-CN/hide-my-email.json' with { type: 'json' }
import zhCNSharing from '../../messages/zh-CN/sharing.json' with { type: 'json' }
import zhTWAccount from '../../messages/zh-TW/account.json' with { type: 'json' }
import zhTWAdmin from '../../messages/zh-TW/admin.json' with { type: 'json' }
import zhTWConsole from '../../messages/zh-TW/console.json' with { type: 'json' }
import zhTWConsoleApi from '../../messages/zh-TW/console-api.json' with { type: 'json' }
import zhTWConsoleApps from '../../messages/zh-TW/console-apps.json' with { type: 'json' }
import zhTWConsoleEvents from '../../messages/zh-TW/console-events.json' with { type: 'json' }
import zhTWConsoleFailures from '../../messages/zh-TW/console-failures.json' with { type: 'json' }
import zhTWConsoleProof from '../../messages/zh-TW/console-proof.json' with { type: 'json' }
import zhTWConsoleTransfer from '../../messages/zh-TW/console-transfer.json' with { type: 'json' }
import zhTWConsoleTry from '../../messages/zh-TW/console-try.json' with { type: 'json' }
import zhTWConsoleUsage from '../../messages/zh-TW/console-usage.json' with { type: 'json' }
import zhTWCore from '../../messages/zh-TW/core.json' with { type: 'json' }
import zhTWEmail from '../../messages/zh-TW/email.json' with { type: 'json' }
import zhTWEntry from '../../messages/zh-TW/entry.json' with { type: 'json' }
import zhTWHideMyEmail from '../../messages/zh-TW/hide-my-email.json' with { type: 'json' }
import zhTWSharing from '../../messages/zh-TW/sharing.json' with { type: 'json' }

/** All texts by language; each file holds the texts of one task. */
export const messages = {
  en: {
    ...enCore,
    ...enEntry,
    ...enEmail,
    ...enSharing,
    ...enAccount,
    ...enHideMyEmail,
    ...enAdmin,
    ...enConsole,
    ...enConsoleApi,
    ...enConsoleApps,
    ...enConsoleFailures,
    ...enConsoleTransfer,
    ...enConsoleProof,
    ...enConsoleTry,
    ...enConsoleUsage,
    ...enConsoleEvents,
  },
  ja: {
    ...jaCore,
    ...jaEntry,
    ...jaEmail,
    ...jaSharing,
    ...jaAccount,
    ...jaHideMyEmail,
    ...jaAdmin,
    ...jaConsole,
    ...jaConsoleApi,
    ...jaConsoleApps,
    ...jaConsoleFailures,
    ...jaConsoleTransfer,
    ...jaConsoleProof,
    ...jaConsoleTry,
    ...jaConsoleUsage,
    ...jaConsoleEvents,
  },
  'zh-CN': {
    ...zhCNCore,
    ...zhCNEntry,
    ...zhCNEmail,
    ...zhCNSharing,
    ...zhCNAccount,
    ...zhCNHideMyEmail,
    ...zhCNAdmin,
    ...zhCNConsole,
    ...zhCNConsoleApi,
    ...zhCNConsoleApps,
    ...zhCNConsoleFailures,
    ...zhCNConsoleTransfer,
    ...zhCNConsoleProof,
    ...zhCNConsoleTry,
    ...zhCNConsoleUsage,
    ...zhCNConsoleEvents,
  },
  'zh-TW': {
    ...zhTWCore,
    ...zhTWEntry,
    ...zhTWEmail,
    ...zhTWSharing,
    ...zhTWAccount,
    ...zhTWHideMyEmail,
    ...zhTWAdmin,
    ...zhTWConsole,
    ...zhTWConsoleApi,
    ...zhTWConsoleApps,
    ...zhTWConsoleFailures,
    ...zhTWConsoleTransfer,
    ...zhTWConsoleProof,
    ...zhTWConsoleTry,
    ...zhTWConsoleUsage,
    ...zhTWConsoleEvents,
  },
}

export type Messages = (typeof messages)['en']

/** Returns the texts of a language, for answers that are rendered without Next. */
export const messagesFor = (locale: Locale): Messages => messages[locale]

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

/** The languages the pages are written in. */
export const locales = ['en', 'ja', 'zh-CN', 'zh-TW'] as const

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

export type Locale = (typeof locales)[number]

/** Replaces each placeholder `{name}` by its value; keeps a placeholder without a value. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
