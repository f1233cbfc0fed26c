/** Returns the first requested language that is supported, else English (RFC 4647 §3.4; Chinese by script). */
export function chooseLocale(...wishes: readonly (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const locale = wish ? matchLocale(wish) : undefined
    if (locale) return locale
  }
  return 'en'
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

/** Lists the first ten language tags of `ui_locales` (OpenID Connect Core §3.1.2.1); other than BCP 47 characters are dropped, so that a header can carry them. */
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

/** Decides by the script before the region: zh-Hans-HK is Simplified. */
function chineseOf(subtags: readonly string[]): Locale {
  if (subtags.includes('hans')) return 'zh-CN'
  return subtags.some((subtag) => traditional.has(subtag)) ? 'zh-TW' : 'zh-CN'
}

const traditional = new Set(['hant', 'tw', 'hk', 'mo'])

export type Locale = (typeof locales)[number]
