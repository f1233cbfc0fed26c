import { expect, it } from 'vitest'
import { noBrand } from '#lib/brand/read-brand'
import { answerUriCheck } from './check-uris.ts'

const fragment = 'must not have a fragment (#…)'
const brand = { ...noBrand, rules: new Map([['fr', { [fragment]: 'ne peut pas avoir de fragment' }]]) }
const offered = { languages: ['en', 'ja', 'fr'], defaultLanguage: 'en', brand }

const check = async (query: Record<string, string> | string, evaluation = false) => {
  const url = `https://account.example/console/app/check-uris?${new URLSearchParams(query)}`
  const answer = answerUriCheck({ config: { evaluation, ...offered } }, new Request(url))
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return answer.json()
}

it('names the line and the reason of each refusal, in the language of the page', async () => {
  const uris = 'https://a.example/cb\n\nhttps://a.example/#x\nhttps://a.example/cb'
  expect(await check({ kind: 'confidential', locale: 'en', uris })).toEqual({
    uris: 3,
    problems: [
      { line: 2, rule: expect.stringContaining('fragment') },
      { line: 3, rule: expect.stringMatching(/./) },
    ],
  })
  const [first] = (await check({ kind: 'confidential', locale: 'ja', uris })).problems
  expect(first.rule).toMatch(/[ぁ-ん]/)
  const [french] = (await check({ kind: 'confidential', locale: 'fr', uris })).problems
  expect(french.rule).toBe('ne peut pas avoir de fragment')
})

it('accepts what the form accepts', async () => {
  const [web, scheme] = ['http://localhost:1/cb', 'com.example.app:/cb']
  const problems = async (kind: string, uris: string, evaluation: boolean) =>
    (await check({ kind, uris }, evaluation)).problems.length
  expect([await problems('confidential', web, true), await problems('confidential', web, false)]).toEqual([0, 1])
  expect([await problems('public', scheme, false), await problems('confidential', scheme, false)]).toEqual([0, 1])
})

it.each(['', 'uris=', 'kind=god&locale=%00&uris=x', 'uris=a&uris=b', `uris=${'x%0A'.repeat(5000)}`])(
  'answers %.40s',
  async (query) => {
    const { uris, problems } = await check(query)
    expect(uris).toBeLessThanOrEqual(8000)
    expect(problems.length).toBeLessThanOrEqual(20)
  },
)
