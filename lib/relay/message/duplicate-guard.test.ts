import { expect, test } from 'vitest'
import { fingerprint } from './duplicate-guard.ts'

const key = Buffer.alloc(32, 1)
const seen = {
  from: 'news@app.example',
  to: 'abcdefghjkmn@relay.example',
  messageId: '<1@app.example>',
  bodySha256: 'ab12',
}
const known = fingerprint(key, seen)

test('is the same when a message comes again', () => {
  expect(fingerprint(key, { ...seen, to: 'ABCDEFGHJKMN@relay.example', messageId: ' <1@app.example>' })).toBe(known)
  expect(known).toMatch(/^[\w-]{43}$/)
})

test('is another when anything differs, also when the parts join to the same text', () => {
  const others = [
    fingerprint(Buffer.alloc(32, 2), seen),
    fingerprint(key, { ...seen, from: '' }),
    fingerprint(key, { ...seen, to: 'b@relay.example' }),
    fingerprint(key, { ...seen, messageId: '<2@app.example>' }),
    fingerprint(key, { ...seen, bodySha256: 'ab13' }),
    fingerprint(key, { ...seen, messageId: '<1@app.example>a', bodySha256: 'b12' }),
  ]
  expect(new Set([known, ...others]).size).toBe(7)
})

test.each([undefined, '', ' ', '<>'])(
  'is none without a Message-ID (%j): two such messages may both be meant',
  (messageId) => {
    expect(fingerprint(key, { ...seen, messageId })).toBeUndefined()
  },
)
