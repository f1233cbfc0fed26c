import { expect, it } from 'vitest'
import { fingerprint } from './duplicate-guard.ts'

const key = Buffer.alloc(32, 1)
const seen = {
  from: 'news@app.example',
  to: 'abcdefghjkmn@relay.example',
  messageId: '<1@app.example>',
  bodySha256: 'ab12',
}
const known = fingerprint(key, seen)

it('is the same for a repeated message', () => {
  expect(fingerprint(key, { ...seen, to: 'ABCDEFGHJKMN@relay.example', messageId: ' <1@app.example>' })).toBe(known)
  expect(known).toMatch(/^[\w-]{43}$/)
})

it('differs when any part differs, also when the joined parts are equal', () => {
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

it.each([undefined, '', ' ', '<>'])(
  'is undefined without a Message-ID (%j), because two such messages may both be intended',
  (messageId) => {
    expect(fingerprint(key, { ...seen, messageId })).toBeUndefined()
  },
)
