import type { Chance } from '#lib/testing/oauth/chance'

/** Values that have broken servers before. */
const nasty = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ufffd',
  '\ufeffopenid',
  '\u202egnp.exe',
  'ünïcödé',
  '😀',
  `${'a'.repeat(199)}😀`,
  'x'.repeat(513),
  'x'.repeat(1001),
  '😀'.repeat(600),
  'openid '.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '-1',
  '1e999',
  '999999999999999999999',
  '{}',
  '[]',
  '{"a":{"b":[null]}}',
  "' OR 1=1 --",
  '"; DROP TABLE "Authorization"; --',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '\r\nSet-Cookie: a=b',
  'https://evil.example/',
  '//evil.example',
  '..',
  'a.b.c',
  'a.b.c.d.e',
  'rt_',
  `rt_${'A'.repeat(22)}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
]

const encode = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

/** Returns a random hostile value. */
export function hostileText(chance: Chance): string {
  switch (chance.weighted({ nasty: 6, random: 3, jwt: 2, bytes: 1, huge: 0.05 })) {
    case 'nasty':
      return chance.pick(nasty)
    case 'random':
      return chance.text(20, 0, 0xd7ff)
    case 'jwt':
      return hostileJwt(chance)
    case 'bytes':
      return Buffer.from(chance.times(60, () => chance.below(256))).toString('base64url')
    case 'huge':
      return chance.pick(['x', '%00', '😀', 'a.', '{']).repeat(10_000)
  }
}

function hostileJwt(chance: Chance): string {
  const odd = () =>
    chance.pick<unknown>([undefined, null, 0, -1, 1e300, '', 'x', '\0', '\ud800', [], {}, ['ES256'], true])
  const header = {
    alg: chance.pick(['ES256', 'none', 'HS256', 'RS256', odd()]),
    typ: chance.pick(['JWT', 'at+jwt', odd()]),
    kid: odd(),
  }
  const names = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'scope', 'aid', 'client_id']
  const claims = Object.fromEntries(names.map((name) => [name, odd()]))
  const end = chance.pick(['', 'x', 'A'.repeat(86)])
  return `${encode(chance.one(0.1) ? odd() : header)}.${encode(chance.one(0.1) ? odd() : claims)}.${end}`
}

/** Returns a header value that a server can receive: no line breaks, only single-byte characters. */
export const hostileHeader = (chance: Chance): string =>
  chance.one(0.5)
    ? chance.text(60, 0x20, 0xff)
    : hostileText(chance)
        .replaceAll(/[^\x20-\x7e]/gu, '?')
        .slice(0, 8000)

/** Returns a name and a value as in a form or query: encoded correctly, incorrectly, or not at all. */
export function hostilePair(chance: Chance, name: string, value: string): string {
  switch (chance.weighted({ right: 10, plus: 2, raw: 1, broken: 0.5, list: 0.5, bare: 0.3, twice: 0.7 })) {
    case 'right':
      return `${name}=${safely(value)}`
    case 'plus':
      return new URLSearchParams([[name, value]]).toString()
    case 'raw':
      return `${name}=${value}`
    case 'broken':
      return `${name}=${chance.pick(['%', '%z', '%ff', '%c0%af', '%ed%a0%80', '%00', '%u0041'])}${safely(value)}`
    case 'list':
      return `${name}[]=${safely(value)}&${name}[a]=b`
    case 'bare':
      return name
    case 'twice':
      return `${name}=${safely(value)}&${name}=${chance.one(0.5) ? safely(value) : 'other'}`
  }
}

const safely = (value: string) => encodeURIComponent(value.toWellFormed())
