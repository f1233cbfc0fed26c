import {
  chooseLocale,
  isLocale,
  type Locale,
  localeNames,
  locales,
  type Messages,
  messagesFor,
} from '#lib/text/messages'
import { rulesFor, translateRule } from '#lib/text/translate-rule'
import type { Brand } from './read-brand.ts'

/** The languages of the pages: ours, and those that the brand adds; LANGUAGES may name fewer. */
export type Offered = { languages: readonly string[]; defaultLanguage: string }

/** Returns the languages in the order of the footer, with their own names. */
export const languageNames = ({ languages }: Offered): [tag: string, name: string][] =>
  languages.map((tag) => [tag, isLocale(tag) ? localeNames[tag] : nameOf(tag)])

const nameOf = (tag: string): string => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

/** Every language with texts. */
export const languagesOf = ({ texts }: Pick<Brand, 'texts'>): string[] => [
  ...locales,
  ...[...texts.keys()].filter((tag) => !isLocale(tag)),
]

/** Returns the first wish that is offered, else the default language (RFC 4647 §3.4). */
export function chooseLanguage(
  { languages, defaultLanguage }: Offered,
  ...wishes: (string | null | undefined)[]
): string {
  for (const wish of wishes) {
    if (!wish) continue
    const [language = ''] = wish.toLowerCase().split(/[-_]/)
    const exact = languages.find((tag) => tag.toLowerCase() === wish.toLowerCase().replaceAll('_', '-'))
    const found =
      exact ?? matchOurs(wish, language, languages) ?? languages.find((tag) => tag.toLowerCase() === language)
    if (found) return found
  }
  return defaultLanguage
}

/** English, Japanese, and Chinese by script. `chooseLocale` returns English for everything else. */
function matchOurs(wish: string, language: string, languages: readonly string[]): Locale | undefined {
  const locale = chooseLocale(wish)
  const isMatch = locale !== 'en' || language === 'en'
  return isMatch && languages.includes(locale) ? locale : undefined
}

/** Returns the language of a page from its locale, which has the region of English too. */
export const pageLanguage = ({ languages }: Pick<Offered, 'languages'>, locale: string): string =>
  languages.includes(locale) ? locale : chooseLocale(locale)

/** Returns the direction of a language; ours are all written from left to right. */
export const directionOf = (language: string): 'ltr' | 'rtl' => {
  const { script = '' } = new Intl.Locale(language).maximize()
  return rightToLeft.has(script) ? 'rtl' : 'ltr'
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'])

/** Returns the texts of a language, those of the brand first. */
export const textsOf = (brand: Pick<Brand, 'texts'>, language: string): Messages =>
  brand.texts.get(language) ?? messagesFor(isLocale(language) ? language : 'en')

/** Returns a sentence of a rule as the pages of a language say it. */
export const ruleIn = (brand: Pick<Brand, 'rules'>, language: string, sentence: string): string =>
  translateRule(sentence, brand.rules.get(language) ?? rulesFor(language))
