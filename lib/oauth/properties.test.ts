import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { collectParameters, decodePart } from '#lib/http/form'
import { isRegisteredRedirect, withParameters } from '#lib/oauth/client/redirect-uri'
import { anyCharacter } from '#lib/testing/oauth/any-character'
import { clientWith } from '#lib/testing/oauth/authorize-values'
import { parseForm } from './endpoint.ts'
import { OAuthError } from './error.ts'
import { isChallenge, isVerifier, verifierMatches } from './pkce.ts'

const check = <T>(values: fc.Arbitrary<T>, rule: (value: T) => void) =>
  fc.assert(fc.property(values, rule), { numRuns: 500 })

/** Any text that a form can carry: Unicode without NUL and the replacement character. */
const anyText = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll(/[\0\ufffd]/g, ''))
const parameters = fc.dictionary(
  anyText.filter((name) => name !== ''),
  anyText.filter((value) => value !== ''),
)

describe('a redirect URI', () => {
  const uri = fc
    .tuple(
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom('', '?', '?a=1', '?a=%20b&c', '?x&', '??', '?x=y?'),
    )
    .map(([address, query]) => (address.includes('?') ? address : address + query))

  it('is accepted only if it is identical', () => {
    const variants = (text: string): string[] => [
      `${text}/`,
      `${text}?`,
      `${text}#`,
      `${text}&`,
      ` ${text}`,
      `${text} `,
      text.toUpperCase(),
      text.replace('https:', 'http:'),
      text.replace('://', '://user@'),
      text.replace(/(\/\/[^/?]+)/, '$1:443'),
      `${text}%2e`,
      text.slice(0, -1),
      `${text}${text}`,
      `https://evil.example/${text}`,
    ]
    check(fc.tuple(fc.array(uri, { maxLength: 3 }), uri, anyText), ([others, registered, text]) => {
      const redirectUris = [...others, registered]
      expect(isRegisteredRedirect(clientWith({ redirectUris }), registered)).toBe(true)
      for (const sent of [...variants(registered), text, registered + text]) {
        expect(isRegisteredRedirect(clientWith({ redirectUris }), sent)).toBe(
          redirectUris.some((known) => known === sent),
        )
      }
    })
  })

  it('keeps its own query and appends the parameters, which parse back', () => {
    check(fc.tuple(uri, parameters), ([own, added]) => {
      const names = Object.fromEntries(Object.entries(added).map(([, value], at) => [`p${at}`, value]))
      const address = withParameters(own, { ...names, absent: undefined })
      expect(address.startsWith(own)).toBe(true)
      const [before, after] = [new URL(own).searchParams, new URL(address).searchParams]
      const all = [...after]
      expect(all.slice(0, before.size)).toEqual([...before])
      expect(all.slice(before.size)).toEqual(Object.entries(names))
    })
  })

  it('keeps host, path and fragment when parameters are appended', () => {
    check(fc.tuple(uri, anyText), ([own, value]) => {
      const [before, after] = [new URL(own), new URL(withParameters(own, { state: value }))]
      expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, before.hash])
    })
  })
})

describe('a form', () => {
  it('parses back to its parameters from any encoding', () => {
    check(parameters, (sent) => {
      const known = new Set(Object.keys(sent))
      const strict = Object.entries(sent).map((pair) => pair.map(encodeURIComponent).join('='))
      for (const text of [new URLSearchParams(sent).toString(), strict.join('&'), `&${strict.join('&&')}&`]) {
        expect(parseForm(text, known)).toEqual(new Map(Object.entries(sent)))
      }
    })
  })

  it('is parsed or rejected as a protocol error, for any text', () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('a', '=', '&', '%', '+', '0', 'f', 'F', '\0', '\ufffd', '\ud800', ';', 'é') }),
    )
    check(hostile, (text) => {
      try {
        for (const value of parseForm(text, new Set(['a', 'aa', ''])).values()) {
          expect(value).not.toBe('')
          expect(value.isWellFormed() && !value.includes('\0')).toBe(true)
        }
      } catch (fault) {
        expect(fault).toBeInstanceOf(OAuthError)
        expect(fault).toMatchObject({ code: 'invalid_request' })
      }
    })
  })

  it('rejects a repeated known parameter and uses neither value; ignores a repeated unknown one', () => {
    check(fc.tuple(anyText, anyText), ([one, two]) => {
      const [first, second] = [one, two].map(encodeURIComponent)
      const text = `known=${first}&unknown=${first}&known=${second}&unknown=${second}`
      expect(() => parseForm(text, new Set(['known']))).toThrow(OAuthError)
      expect(collectParameters(text, new Set(['known']))).toEqual({ values: new Map(), repeated: 'known' })
      expect(parseForm(text, new Set(['other'])).size).toBe(0)
    })
  })

  it.each([
    '%',
    '%z',
    '%zz',
    '%c3',
    '%c3%28',
    '%ff',
    '%ed%a0%80',
    '%f8%88%80%80%80',
    '%c0%af',
    '%00',
    'a%00b',
    '\0',
    '\ufffd',
  ])('rejects %j in any position', (bad) => {
    for (const text of [bad, `a=${bad}`, `${bad}=a`, `x=1&a=${bad}`, `unknown=${bad}`]) {
      expect(() => parseForm(text, new Set(['a']))).toThrow(OAuthError)
    }
  })

  it('accepts every properly encoded character, including the replacement character', () => {
    expect(decodePart('%EF%BF%BD')).toBe('\ufffd')
    check(fc.string({ unit: 'grapheme' }), (text) => {
      const sent = text.replaceAll('\0', '')
      expect(decodePart(encodeURIComponent(sent))).toBe(sent)
    })
  })
})

describe('PKCE', () => {
  const unreserved = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~']
  const verifier = fc.string({ unit: fc.constantFrom(...unreserved), minLength: 43, maxLength: 128 })
  const challengeOf = (text: string) => createHash('sha256').update(text, 'ascii').digest('base64url')

  it('matches a verifier with its own S256 challenge only', () => {
    check(fc.tuple(verifier, verifier), ([one, two]) => {
      expect(isVerifier(one)).toBe(true)
      expect(isChallenge(challengeOf(one))).toBe(true)
      expect(verifierMatches(one, challengeOf(one))).toBe(true)
      expect(verifierMatches(two, challengeOf(one))).toBe(one === two)
      expect(verifierMatches(one, one)).toBe(false)
    })
  })

  it('accepts verifiers of 43 to 128 unreserved characters only', () => {
    for (const length of [0, 1, 42, 129, 1000]) expect(isVerifier('v'.repeat(length))).toBe(false)
    check(fc.tuple(verifier, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 })), ([good, char]) => {
      fc.pre(!unreserved.includes(char))
      expect(isVerifier(`${good.slice(0, 60)}${char}`)).toBe(false)
      expect(isVerifier(`${char}${good.slice(0, 60)}`)).toBe(false)
    })
  })

  it('rejects a short verifier even for its own hash', () => {
    check(fc.string({ unit: fc.constantFrom(...unreserved), maxLength: 42 }), (short) => {
      expect(verifierMatches(short, challengeOf(short))).toBe(false)
    })
  })

  it('accepts a challenge only as the base64url of 32 bytes', () => {
    check(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(isChallenge(Buffer.from(bytes).toString('base64url'))).toBe(bytes.length === 32)
      expect(isChallenge(`${Buffer.from(bytes).toString('base64')}`)).toBe(false)
    })
    for (const last of ['B', 'D', '9', '_']) expect(isChallenge(`${'A'.repeat(42)}${last}`)).toBe(false)
    expect(isChallenge(`${sha256('x')}\n`)).toBe(false)
  })
})
