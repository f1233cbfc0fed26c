import { expect, it } from 'vitest'
import { BrandFault } from '#lib/brand/brand-fault'
import { ruleIn } from '#lib/brand/brand-texts'
import { noBrand } from '#lib/brand/read-brand'
import { messagesFor } from '#lib/text/messages'
import { readTexts } from './read-texts.ts'

const read = (json: string, language = 'en') => readTexts(json, `messages.${language}.json`, language)
const rulesFile = (rules: unknown) => JSON.stringify({ rules }, undefined, 1)

it.each<[string, unknown, string, number]>([
  [
    'a sentence that we do not have',
    { 'must be text': 'Use text', 'must be blue': 'x' },
    'rules.must be blue is not a sentence of ours; look in messages/ja/rules.json',
    4,
  ],
  [
    'one gap twice',
    { 'must have {} to {} characters': '{1} or {1}' },
    'rules.must have {} to {} characters must have these placeholders: {1}, {2}',
    3,
  ],
  ['a gap too many', { 'must be text': '{}' }, 'rules.must be text must have these placeholders: none', 3],
  ['an empty sentence', { 'must be text': '' }, 'rules.must be text is empty', 3],
  ['a number', { 'must be text': 1 }, 'rules.must be text must be a text', 3],
  ['a list', [], 'rules must be an object, as in messages/en', 2],
  [
    'a name of a method',
    { toString: 'x' },
    'rules.toString is not a sentence of ours; look in messages/ja/rules.json',
    3,
  ],
])('refuses rules with %s', (_, rules, words, line) => {
  expect(() => read(rulesFile(rules))).toThrow(new BrandFault('messages.en.json', words, line))
})

it('replaces sentences of rules, and a new language falls back to English', () => {
  const rules = new Map(
    [
      read(rulesFile({ 'must be text': 'Use text' })).rules,
      read(rulesFile({ 'must have {} to {} characters': '{2} / {1}' }), 'ja').rules,
      read(rulesFile({ 'must have at most {} characters': '{} caractères au maximum' }), 'fr').rules,
    ].map((one, at) => [['en', 'ja', 'fr'][at] as string, one]),
  )
  const of = (language: string, sentence: string) => ruleIn({ rules }, language, sentence)
  expect(of('en', 'must be text')).toBe('Use text')
  expect(of('en', 'must be https')).toBe('must be https')
  expect(of('fr', 'must have at most 80 characters')).toBe('80 caractères au maximum')
  expect(of('fr', 'must be text')).toBe('must be text')
  expect(of('ja', 'must have 1 to 80 characters')).toBe('80 / 1')
  expect(of('ja', 'must be text')).toBe(ruleIn(noBrand, 'ja', 'must be text'))
})

it('keeps the sentences out of the other texts', () => {
  expect(read(rulesFile({ 'must be text': 'Use text' })).messages).toEqual(messagesFor('en'))
})

it('names the line of a fault after braces and quotation marks in texts', () => {
  const json = `{\n "home": { "description": "'{' \\"signin\\":" },\n "signin": {\n  "title": "{x}" } }`
  const words = 'signin.title must have these placeholders: none'
  expect(() => read(json)).toThrow(new BrandFault('messages.en.json', words, 4))
})
