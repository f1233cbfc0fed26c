import { expect, it } from 'vitest'
import { compareUris } from './uri-difference.ts'

const ours = 'https://a.example/cb'

it.each([
  [ours, 'https://a.example/cb/', ['trailing_slash']],
  ['https://a.example', 'https://a.example/', ['trailing_slash']],
  [ours, 'http://a.example/cb', ['scheme']],
  [ours, 'https://a.example:8443/cb', ['port']],
  [ours, 'https://a.example:443/cb', ['port']],
  [ours, 'https://A.example/cb', ['case']],
  [ours, 'https://a.example/CB', ['case']],
  [ours, 'HTTPS://a.example/cb', ['case']],
  [ours, 'https://www.a.example/cb', ['host']],
  [ours, 'https://a.example/callback', ['path']],
  [ours, 'https://a.example/cb?next=…', ['extra_query']],
  [`${ours}?tenant=1`, ours, ['missing_query']],
  [`${ours}?tenant=1`, `${ours}?tenant=…`, ['query']],
  [ours, 'https://a.example/cb#…', ['fragment']],
  [ours, 'https://…@a.example/cb', ['user']],
  [ours, 'http://b.example:8080/cb/', ['trailing_slash', 'scheme', 'host', 'port']],
  [ours, 'https://a.example/cb\\u{200b}', ['path', 'invisible']],
  ['', ours, ['none']],
])('finds why the registered %s is not %s', (registered, sent, reasons) => {
  const { stretches, reasons: found } = compareUris(registered, sent)
  expect(found).toEqual(reasons)
  expect(stretches.map((one) => one.registered).join('')).toBe(registered)
  expect(stretches.map((one) => one.sent).join('')).toBe(sent)
  for (const one of stretches) expect(one.isEqual).toBe(one.registered === one.sent)
})

it('marks the characters that differ, each part by itself', () => {
  expect(compareUris(ours, 'http://a.example/cb/')).toMatchObject({
    stretches: [
      { registered: 'http', sent: 'http' },
      { registered: 's', sent: '' },
      { registered: '://a.example/cb', sent: '://a.example/cb' },
      { registered: '', sent: '/' },
    ],
  })
})
