import { describe, expect, it } from 'vitest'
import { forwardName } from './rewrite-forward.ts'

const named = (name: string, address = 'billing@acme.example') => forwardName({ name, address }, 'Acme App')

describe('the display name of a forwarded message', () => {
  it.each([
    ['Acme Billing', '"Acme Billing (billing at acme.example)"'],
    ['', '"Acme App (billing at acme.example)"'],
    [' \t ', '"Acme App (billing at acme.example)"'],
    ['billing@acme.example', '"billing at acme.example"'],
    ['ceo@bank.example', '"ceo at bank.example (billing at acme.example)"'],
    ['Ada "the Countess" \\ Lovelace', '"Ada \\"the Countess\\" \\\\ Lovelace (billing at acme.example)"'],
    ['a\r\nBcc: x', '"a Bcc: x (billing at acme.example)"'],
    ['\u202egpj.exe\u200b', '"gpj.exe (billing at acme.example)"'],
    ['a＠b﹫c', '"a at b at c (billing at acme.example)"'],
    ['x'.repeat(200), `"${'x'.repeat(64)} (billing at acme.example)"`],
  ])('is derived from %j', (name, shown) => expect(named(name)).toBe(shown))

  it('writes other scripts as encoded words of at most 75 characters, each with whole characters', () => {
    const words = named('👩‍👩‍👧 家族'.repeat(9)).split('\r\n ')
    expect(words.length).toBeGreaterThan(2)
    const texts = words.map((word) => {
      expect(word.length).toBeLessThanOrEqual(75)
      return Buffer.from(/^=\?UTF-8\?B\?([\w+/=]+)\?=$/.exec(word)?.[1] ?? '', 'base64').toString()
    })
    expect(texts.join('')).not.toContain('\ufffd')
    expect(texts.join('')).toMatch(/^👩‍👩‍👧 家族.* \(billing at acme\.example\)$/u)
  })

  it('replaces a lone surrogate', () => {
    expect(Buffer.from(/\?B\?(.*)\?=/.exec(named('a\ud83d'))?.[1] ?? '', 'base64').toString()).toBe(
      'a\ufffd (billing at acme.example)',
    )
  })
})
