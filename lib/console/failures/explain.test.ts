import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { product } from '#lib/testing/tree/sources'
import { locales, messagesFor } from '#lib/text/messages'
import { causes } from './causes.ts'
import { explainFailure } from './explain.ts'

describe('the cause of a failure', () => {
  it.each([
    ['the assertion is expired', { secondsLate: 540, secondsSinceIssued: 600 }, 'clockBehind', 600],
    ['the assertion is from the future', { secondsAhead: 600 }, 'clockAhead', 600],
    ['iat of the proof is more than 60 seconds off', { secondsOff: 600 }, 'dpopBehind', 600],
    ['iat of the proof is more than 60 seconds off', { secondsOff: -600 }, 'dpopAhead', -600],
    ['the code was used before; its tokens are revoked', { secondsSinceUse: 90 }, 'codeSpent', 90],
    ['the authorization was revoked', { secondsSinceUse: 90 }, 'codeSpentRevoked', 90],
    ['the authorization was revoked', { secondsSinceUse: 0 }, 'codeSpentRevoked', 1],
    ['the authorization was revoked', {}, 'revoked', undefined],
    ['expired client_secret', { secondsLate: 86_400 }, 'secretExpired', 86_400],
    ['a reason that nobody wrote', {}, 'other', undefined],
  ])('is known from "%s" and %j', (reason, detail, cause, seconds) => {
    expect(explainFailure({ reason, detail: { ...detail } as Record<string, number> })).toMatchObject({
      cause,
      seconds,
    })
  })

  it('names what was sent and what is registered', () => {
    const kid = { reason: 'no key with this kid is registered', detail: { kid: 'old', known: ['new', 'next'] } }
    expect(explainFailure(kid)).toMatchObject({ cause: 'kidUnknown', values: { kid: 'old', known: ['new', 'next'] } })
    const reason = 'the app must authenticate by private_key_jwt, not client_secret_post'
    const body = { reason, detail: { sent: 'client_secret_post', methods: ['private_key_jwt'] } }
    expect(explainFailure(body)).toMatchObject({ cause: 'secretInBody', values: { methods: ['private_key_jwt'] } })
    const missing = { reason: 'The parameter code_challenge is missing.', detail: {} }
    expect(explainFailure(missing)).toMatchObject({ cause: 'parameterMissing', values: { name: 'code_challenge' } })
  })

  it('compares the registered URI with the one that was sent', () => {
    const detail = { received: 'https://a.example/cb/', registered: 'https://a.example/cb' }
    const { cause, uris } = explainFailure({ reason: 'redirect_uri is not registered for this app', detail })
    expect([cause, uris?.reasons]).toEqual(['redirectUnregistered', ['trailing_slash']])
  })

  it('has words in every language', () => {
    const derived = ['other', 'codeSpentRevoked', 'dpopBehind', 'dpopAhead', 'secretInBody']
    const keys = [...causes.map(({ cause }) => cause).filter((cause) => cause !== 'dpopClock'), ...derived]
    for (const locale of locales)
      expect(Object.keys(messagesFor(locale).consoleFailures.causes).sort()).toEqual([...new Set(keys)].sort())
  })
})

/** Texts for the client beside a reason, and the reason of a request without an app. */
const otherTexts = /^(?:The assertion's clock is|The assertion expired|unknown client_id)/

/** The first text in each call that makes a refusal of the protocol, with a word for each value in it. */
function reasonsIn(source: string): string[] {
  const call = /\b(?:refuse|mistake|refuseProof|invalid|proofMissing)\(\s*(?:'([^']+)'|`([^`]+)`)/g
  return [...source.matchAll(call)].map(([, plain, filled]) => plain ?? (filled as string).replace(/\$\{[^}]*\}/g, '3'))
}

it('is known for each reason that the protocol core writes', () => {
  const files = product.map(({ file }) => file).filter((file) => file.startsWith('lib/oauth/'))
  const reasons = files
    .filter((file) => !file.includes('client/public-key') && !file.includes('logout/check-logout'))
    .flatMap((file) => reasonsIn(readFileSync(file, 'utf8')))
  expect(reasons.length).toBeGreaterThan(70)
  const unknown = reasons.filter((reason) => explainFailure({ reason, detail: {} }).cause === 'other')
  expect(unknown.filter((text) => !otherTexts.test(text))).toEqual([])
})
