import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import ja from '../../messages/ja/rules.json' with { type: 'json' }
import zhCN from '../../messages/zh-CN/rules.json' with { type: 'json' }
import zhTW from '../../messages/zh-TW/rules.json' with { type: 'json' }
import { ruleSentences, rulesFor, translateRule, valuesOf } from './translate-rule.ts'

const gapsOf = (text: string) => valuesOf(text).toSorted()

it('translates a sentence, and keeps its values', () => {
  expect(translateRule('must have 1 to 80 characters', rulesFor('zh-CN'))).toBe('必须为 1 到 80 个字符')
  expect(translateRule('must be public or confidential for an app of kind x and profile y', rulesFor('ja'))).toBe(
    '種類が x、プロファイルが y のアプリでは public or confidential にしてください',
  )
})

it('leaves English and unknown sentences as they are', () => {
  expect(translateRule('must be text', rulesFor('en'))).toBe('must be text')
  expect(translateRule('is strange', rulesFor('ja'))).toBe('is strange')
})

it('replaces an English sentence, and keeps its values in their new order', () => {
  const rules = { 'must have {} to {} characters': 'Use at most {2} and at least {1} characters' }
  expect(translateRule('must have 1 to 80 characters', rules)).toBe('Use at most 80 and at least 1 characters')
  expect(translateRule('must be text', rules)).toBe('must be text')
})

it('has the same sentences in every language, with as many gaps', () => {
  for (const texts of [zhCN, zhTW] as Record<string, string>[]) {
    expect(Object.keys(texts)).toEqual(ruleSentences)
    for (const [english, text] of Object.entries(texts))
      expect([english, gapsOf(text)]).toEqual([english, gapsOf(english)])
  }
  for (const [english, text] of Object.entries(ja)) expect([english, gapsOf(text)]).toEqual([english, gapsOf(english)])
})

/** The files whose sentences a form of the console can show. */
const files = [
  'apps/api-rules',
  'apps/app-rules',
  'apps/redirect-uri-rules',
  'apps/mail-domain-rules',
  'apps/app-fields',
]
  .concat(['apps/registration-fields', 'text/text-rules', 'oauth/client/public-key'])
  .map((name) => `lib/${name}.ts`)

/** Returns the sentences in a source file: its texts that begin like a rule, with a value in each gap. */
function sentencesIn(file: string): string[] {
  const texts = readFileSync(file, 'utf8').matchAll(
    /'((?:must|is|has|holds) [^'\n]+)'|`((?:must|is|has|holds) [^`\n]+)`/g,
  )
  return [...texts].map(([, plain, template]) => plain ?? withValues(template ?? ''))
}

/** Replaces `${…}`, also with braces inside, by a value. */
function withValues(template: string): string {
  let text = template
  while (/\$\{[^{}]*\}|\{[^{}$]*\}(?=[^{]*\})/.test(text))
    text = text.replace(/\$\{[^{}]*\}|\{[^{}$]*\}(?=[^{]*\})/, 'VALUE')
  return text
}

it.each(files)('knows every sentence of %s', (file) => {
  const sentences = sentencesIn(file)
  expect(sentences.length).toBeGreaterThan(0)
  expect(sentences.filter((sentence) => translateRule(sentence, rulesFor('ja')) === sentence)).toEqual([])
})
