import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig, SettingsError } from './config.ts'
import { examples } from './settings.ts'

const production = {
  ISSUER: 'https://id.example.org',
  ACCOUNT_URL: 'https://account.example.org',
  SECRET_KEY: Buffer.from('seven and twenty wickets, or so.').toString('base64url'),
  DATABASE_URL: 'postgresql://localhost/postern',
  SMTP_URL: 'smtp://mail.example.org',
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
}

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.problems
    throw fault
  }
  return []
}

it('makes an evaluation on loopback without any setting', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    evaluation: true,
    demoUrl: 'http://localhost:3002',
    issuer: 'http://localhost:3000',
    listen: { issuer: { host: 'localhost', port: 3000 }, account: { host: 'localhost', port: 3001 } },
    databaseUrl: 'file:.data/postern.db',
  })
})

it('accepts complete production settings, without the demo', () => {
  expect(readConfig(production)).toMatchObject({
    evaluation: false,
    demoUrl: undefined,
    relayDomain: 'relay.example.org',
  })
})

it.each([
  [{}, true],
  [{ ROLES: 'web,jobs' }, false],
  [{ ROLES: 'web', RELAY_DOMAIN: 'relay.example.org' }, true],
  [{ ...production, ROLES: 'web,jobs', RELAY_DOMAIN: undefined }, false],
  [{ ...production, ROLES: 'web,jobs' }, true],
])('returns for %o whether it offers relay addresses: %s', (env, offered) => {
  expect(readConfig(env).offersRelay).toBe(offered)
})

it('drains for five seconds in production, and in an evaluation only on request', () => {
  const drains = [{}, { DRAIN_SECONDS: '7' }, production, { ...production, DRAIN_SECONDS: '0' }]
  expect(drains.map((env) => readConfig(env).drainSeconds)).toEqual([0, 7, 5, 0])
})

it('treats an empty variable as absent', () => {
  expect(readConfig({ ISSUER: '', SECRET_KEY: '' }).evaluation).toBe(true)
})

it.each([
  'postgresql:///postern?host=/run/postgresql',
  'postgresql://postern@localhost/postern?host=/run/postgresql',
  'postgresql://postern@%2Frun%2Fpostgresql/postern',
])('accepts a PostgreSQL behind a Unix socket: %s', (url) => {
  expect(readConfig({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url)
})

describe('names each wrong or missing variable, with the problem and an example', () => {
  const wrong: [string, Record<string, string | undefined>][] = [
    ['ISSUER', { ISSUER: 'https://id.example.org/' }],
    ['ISSUER', { ISSUER: 'id.example.org' }],
    ['ISSUER', { ...production, ISSUER: 'http://id.example.org' }],
    ['ACCOUNT_URL', { ...production, ACCOUNT_URL: 'http://account.example.org' }],
    ['ACCOUNT_URL', { ...production, ACCOUNT_URL: production.ISSUER }],
    ['ACCOUNT_URL', { ...production, ACCOUNT_URL: 'http://localhost:3001' }],
    ['ACCOUNT_URL', { ...production, ACCOUNT_URL: undefined }],
    ['ACCOUNT_URL', { ...production, ACCOUNT_URL: '' }],
    ['ISSUER', { ...production, ISSUER: undefined }],
    ['ISSUER', { ...production, ISSUER: 'http://localhost:3000' }],
    ['SECRET_KEY', { ...production, SECRET_KEY: undefined }],
    ['SECRET_KEY', { SECRET_KEY: 'short' }],
    ['SECRET_KEY', { SECRET_KEY: `!${'A'.repeat(43)}` }],
    ['SECRET_KEY', { ...production, SECRET_KEY: 'A'.repeat(43) }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://u:p@ss:w@[/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql:///postern' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql:///postern?host=run' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://postern@%2Frun%2Fpostgresql,db2/postern' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://localhost,db2/postern?host=/run/postgresql' }],
    ['SMTP_URL', { SMTP_URL: 'smtp:///x?host=/y' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://a b' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://u:p@mail.example?tls=maybe' }],
    ['SMTP_URL', { SMTP_URL: 'smtps://u:p@mail.example?tls=never' }],
    ['RELAY_DOMAIN', { RELAY_DOMAIN: '-a.example' }],
    ['OPERATOR_EMAIL', { ...production, OPERATOR_EMAIL: 'ops@relay.example.org' }],
    ['SERVICE_NAME', { SERVICE_NAME: ' ' }],
    ['ROLES', { ROLES: 'web,cook,bake' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'a,b' }],
    ['DATABASE_URL', { ...production, DATABASE_URL: undefined }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['SMTP_URL', { ...production, SMTP_URL: undefined }],
    ['RELAY_DOMAIN', { ...production, RELAY_DOMAIN: undefined }],
    ['OPERATOR_EMAIL', { ...production, OPERATOR_EMAIL: undefined }],
    ['OPERATOR_EMAIL', { OPERATOR_EMAIL: 'not an address' }],
    ['RELAY_DOMAIN', { RELAY_DOMAIN: 'Relay.Example.org' }],
    ['RELAY_TLS_KEY', { RELAY_TLS_CERT: '/a.crt' }],
    ['LISTEN_ISSUER', { LISTEN_ISSUER: '3000' }],
    ['METRICS_LISTEN', { METRICS_LISTEN: 'localhost:99999' }],
    ['ROLES', { ROLES: 'web,cook' }],
    ['DEMO', { DEMO: 'yes' }],
    ['DEMO', { ...production, DEMO: '1' }],
    ['SIGNUP', { SIGNUP: 'maybe' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['RELAY_FRONT', { RELAY_FRONT: 'mx.example.org' }],
    ...[
      ...['*', '*.example.org', 'https://rp.example.org', 'rp.example.org/path', 'rp.example.org:8443', '10.0.0.1:443'],
      ...[
        'RP.example.org',
        'rp.example.org.',
        '-rp.example.org',
        '.rp.example.org',
        'rp_1.example.org',
        'bücher.example',
        'rp..example.org',
      ],
      ...[
        '10.0.0.0/33',
        '10.0.0.0/-1',
        '10.0.0.0/',
        '10.0.0.0/8/8',
        '10.0.0/8',
        '10.0.0.0-10.0.0.9',
        '10.0.0.256',
        '010.0.0.1',
      ],
      ...[
        '127.1',
        '2130706433',
        '0x7f.1',
        '[::1]',
        'fd00::/129',
        'fd00::1%eth0',
        'fd00::%eth0/64',
        '::ffff:10.0.0.0/a',
      ],
      ...['10.0.0.0/8 127.0.0.1', '10.0.0.0/8;127.0.0.1', 'a b', 'rp.example.org\n10.0.0.0/8', 'a\0b'],
      `${'a'.repeat(64)}.example.org`,
    ].map((value): [string, Record<string, string>] => [
      'OUTBOUND_ALLOW',
      { OUTBOUND_ALLOW: `ok.example.org,${value}` },
    ]),
    ['TERMS_URL', { TERMS_URL: 'javascript:alert(1)' }],
    ['SUPPORT_URL', { SUPPORT_URL: 'javascript:alert(1)' }],
    ['IMPRINT_URL', { IMPRINT_URL: 'mailto:a@b.example' }],
    ['PASSWORD_LOOKUP_URL', { PASSWORD_LOOKUP_URL: 'ftp://x.example/' }],
    ['DEFAULT_THEME', { DEFAULT_THEME: 'sepia' }],
    ['HOME_PAGE', { HOME_PAGE: '//evil.example' }],
    ['PROFILE_FIELDS', { PROFILE_FIELDS: 'name,shoe_size' }],
    ['SIGNUP_FIRST', { SIGNUP_FIRST: 'name' }],
    ['MAIL_REPLY_TO', { MAIL_REPLY_TO: 'a@b.example\r\nBcc: c@d.example' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }],
    ['CODE_SECONDS', { CODE_SECONDS: '1.5' }],
    ['ACCESS_TOKEN_SECONDS', { ACCESS_TOKEN_SECONDS: 'soon' }],
    ['REFRESH_IDLE_DAYS', { REFRESH_IDLE_DAYS: '200' }],
    ['SERVICE_NAME', { SERVICE_NAME: 'x'.repeat(41) }],
  ]
  it.each(wrong)('%s %o', (name, env) => {
    const problems = problemsOf(env)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} .+\\. Example: ${name}=.+`))
  })
})

it.each([
  ['LANGUAGES names fr, de, which has no texts. There are en, ja, zh-CN, zh-TW.', { LANGUAGES: 'fr,ja,de' }],
  ['DEFAULT_LANGUAGE is fr, which LANGUAGES does not offer.', { DEFAULT_LANGUAGE: 'fr' }],
  ['DEFAULT_LANGUAGE is en, which LANGUAGES does not offer.', { LANGUAGES: 'ja', DEFAULT_LANGUAGE: 'en' }],
  ...['http://localhost:3001', 'http://LOCALHOST:3001/?a#b'].map((HOME_PAGE): [string, Record<string, string>] => [
    `HOME_PAGE is ${HOME_PAGE}, which leads to itself. Set it to page, account or another address.`,
    { HOME_PAGE },
  ]),
  ['BRAND_DIR: /nowhere: the folder cannot be read.', { BRAND_DIR: '/nowhere' }],
])('says “%s”', (problem, env) => {
  expect(problemsOf(env)).toContain(problem)
})

it('offers the first language of LANGUAGES where English is not among them', () => {
  expect(readConfig({ LANGUAGES: 'zh-TW,ja' })).toMatchObject({
    languages: ['zh-TW', 'ja'],
    defaultLanguage: 'zh-TW',
  })
})

it.each([
  ['ACCOUNT_URL is missing: ISSUER is public', { ACCOUNT_URL: undefined }],
  ['ISSUER is missing: ACCOUNT_URL is public', { ISSUER: undefined }],
  ['ACCOUNT_URL is http://127.0.0.1:3001, on this machine alone', { ACCOUNT_URL: 'http://127.0.0.1:3001' }],
  ['ISSUER is http://localhost:3000, on this machine alone', { ISSUER: 'http://localhost:3000' }],
])('reports "%s" if only one of the two hosts is public', (sentence, env) => {
  expect(problemsOf({ ...production, ...env })).toEqual([expect.stringContaining(sentence)])
})

it('reads host names, addresses and ranges from OUTBOUND_ALLOW, without blanks and empty entries', () => {
  const read = (OUTBOUND_ALLOW: string) => readConfig({ OUTBOUND_ALLOW }).outboundAllow
  expect(read(' rp.internal , 10.20.0.0/16,,fd00::/8,192.0.2.1, ')).toEqual([
    'rp.internal',
    '10.20.0.0/16',
    'fd00::/8',
    '192.0.2.1',
  ])
  expect([read(''), read(' '), read(',,')]).toEqual([[], [], []])
})

it('reports all problems at once', () => {
  expect(problemsOf({ ISSUER: 'x', ACCOUNT_URL: 'y', LOG_LEVEL: 'loud' })).toHaveLength(3)
})

it('does not repeat a rejected secret', () => {
  expect(problemsOf({ SECRET_KEY: 'my-real-secret' })[0]).not.toContain('my-real-secret')
})

it('has valid examples', () => {
  const others = Object.entries(examples).filter(([name]) => !name.startsWith('SECRET_KEY'))
  expect(problemsOf({ ...Object.fromEntries(others), SECRET_KEY: production.SECRET_KEY })).toEqual([])
})

it('has the same variables as .env.example', () => {
  const documented = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1])
  expect(documented.sort()).toEqual(Object.keys(examples).sort())
})
