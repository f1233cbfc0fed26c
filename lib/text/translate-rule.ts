import ja from '../../messages/ja/rules.json' with { type: 'json' }
import zhCN from '../../messages/zh-CN/rules.json' with { type: 'json' }
import zhTW from '../../messages/zh-TW/rules.json' with { type: 'json' }
import type { Locale } from './messages.ts'

/** A sentence with gaps, `{}` in its English form, and its translation by English sentence. */
type Translations = Record<string, string>
const translations: Partial<Record<Locale, Translations>> = { ja, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** A value, or values in a list: one word each, because a sentence that has no translation would fit a looser pattern. */
const words = '(\\S+(?:(?:, | or )\\S+)*)'

/** A pattern for each English sentence. A sentence that begins like another one comes before it. */
const patterns = Object.keys(ja).map((english) => ({ english, pattern: patternOf(english) }))

/**
 * Translates a sentence of a rule, such as "must have at most 80 characters". The rules speak English, for the command
 * line and the API; the English sentence is the key of its translations. An unknown sentence stays English.
 */
export function translateRule(sentence: string, locale: Locale): string {
  const known = translations[locale]
  if (!known) return sentence
  for (const { english, pattern } of patterns) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values) return fill(known[english] ?? sentence, values)
  }
  return sentence
}

function patternOf(english: string): RegExp {
  if (english === 'must be {}') return new RegExp(`^must be ${words}$`)
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`, 's')
}

/** Fills the gaps: `{}` with the next value, `{2}` with the second one. */
function fill(text: string, values: string[]): string {
  let next = 0
  return text.replace(/\{(\d?)\}/g, (_, at: string) => values[at === '' ? next++ : Number(at) - 1] ?? '')
}
