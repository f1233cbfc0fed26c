import ja from '../../messages/ja/rules.json' with { type: 'json' }
import zhCN from '../../messages/zh-CN/rules.json' with { type: 'json' }
import zhTW from '../../messages/zh-TW/rules.json' with { type: 'json' }

/** Sentences of rules with gaps by their English form, whose gaps are `{}`. A sentence that is not among them stays English. */
export type Rules = Readonly<Record<string, string>>

const translations: ReadonlyMap<string, Rules> = new Map(Object.entries({ ja, 'zh-CN': zhCN, 'zh-TW': zhTW }))

/** Returns our sentences of a language: none for English and for a language that we do not have. */
export const rulesFor = (language: string): Rules => translations.get(language) ?? {}

/** The English form of every sentence. */
export const ruleSentences: readonly string[] = Object.keys(ja)

/** A value, or values in a list: one word each, because a sentence that has no translation would fit a looser pattern. */
const words = '(\\S+(?:(?:, | or )\\S+)*)'

/** A pattern for each English sentence. A sentence that begins like another one comes before it. */
const patterns = ruleSentences.map((english) => ({ english, pattern: patternOf(english) }))

/**
 * Returns a sentence of a rule, such as "must have at most 80 characters", as a page says it. The rules speak English, for the
 * command line and the API; the English sentence is the key. An unknown sentence is returned unchanged.
 */
export function translateRule(sentence: string, rules: Rules): string {
  for (const { english, pattern } of patterns) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values) return english in rules ? fill(rules[english] ?? sentence, values) : sentence
  }
  return sentence
}

function patternOf(english: string): RegExp {
  if (english === 'must be {}') return new RegExp(`^must be ${words}$`)
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.+?)')}$`, 's')
}

const gap = /\{(\d?)\}/g

/** Fills the gaps: `{}` with the next value, `{2}` with the second one. */
function fill(text: string, values: string[]): string {
  let next = 0
  return text.replace(gap, (_, at: string) => values[at === '' ? next++ : Number(at) - 1] ?? '')
}

/** Returns the value of each gap of a sentence: `{1}` for the first one, written as `{}` or `{1}`. */
export function valuesOf(text: string): string[] {
  let next = 0
  return [...text.matchAll(gap)].map(([, at]) => `{${at || ++next}}`)
}
