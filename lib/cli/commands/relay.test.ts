import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { testKey } from '#lib/testing/process/postern'
import type { Zone } from '#lib/testing/relay/zone'

// Names that DNS does not know, because `doctor` tries to reach them.
const production = {
  ISSUER: 'https://id.invalid',
  ACCOUNT_URL: 'https://account.invalid',
  SECRET_KEY: testKey,
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
  SMTP_URL: 'smtp://user:hunter22@out.invalid:587',
}

type Record_ = { name: string; type: string; value: string; purpose: string; needed: boolean; why: string }
type Key = { selector: string; state: string; published?: string; dns: { name: string; value: string } }

const setUp = (settings: Record<string, string> = production, zone: Zone = {}) => ({
  ...setUpCommandLine(settings, zone),
  zone,
})

async function records(cli: ReturnType<typeof setUp>['cli'], ...flags: string[]): Promise<Record_[]> {
  return (await cli(['relay', 'dns', ...flags])).answer().records
}

it('prints every record: MX, SPF, both keys, DMARC and the optional ones', async () => {
  const { cli } = setUp()
  const all = await records(cli)
  expect(
    all.map(({ name, type, value, needed }) => [name, type, value.replace(/p=[\w+/=]{40,}/, 'p=KEY'), needed]),
  ).toEqual([
    ['relay.example.org', 'MX', '10 mx.relay.example.org', true],
    ['relay.example.org', 'TXT', 'v=spf1 a:out.invalid -all', true],
    [
      expect.stringMatching(/^rsa-[0-9a-f]{12}\._domainkey\.relay\.example\.org$/),
      'TXT',
      'v=DKIM1; k=rsa; p=KEY',
      true,
    ],
    [expect.stringMatching(/^ed25519-[0-9a-f]{12}\._domainkey\./), 'TXT', 'v=DKIM1; k=ed25519; p=KEY', true],
    ['_dmarc.relay.example.org', 'TXT', 'v=DMARC1; p=reject; adkim=s; aspf=s', true],
    ['_mta-sts.relay.example.org', 'TXT', expect.stringMatching(/^v=STSv1; id=[0-9a-f]{16}$/), false],
    ['_smtp._tls.relay.example.org', 'TXT', 'v=TLSRPTv1; rua=mailto:postmaster@relay.example.org', false],
  ])
  // A second call creates no further keys.
  expect(await records(cli)).toEqual(all)
})

it('prints a zone file: long values in strings of 255 bytes, the MTA-STS policy, no password', async () => {
  const { stderr, stdout } = await setUp().cli([
    'relay',
    'dns',
    '--mx',
    'MX1.example.org.',
    '--spf',
    'ip4:203.0.113.5 include:spf.example.net',
  ])
  expect(stderr).toContain('\nrelay.example.org. IN MX 10 mx1.example.org.\n')
  expect(stderr).toContain('\nrelay.example.org. IN TXT "v=spf1 ip4:203.0.113.5 include:spf.example.net -all"\n')
  expect(stderr).toMatch(/^rsa-\w+\._domainkey\.relay\.example\.org\. IN TXT "[^"]{255}" "[^"]+"$/m)
  expect(stderr).toContain('; https://mta-sts.relay.example.org/.well-known/mta-sts.txt')
  expect(stderr).toContain(';   mx: mx1.example.org')
  expect(stderr + stdout).not.toContain('hunter22')
})

it.each([
  ['smtp://out.example.net', 'a:out.example.net'],
  ['smtp://203.0.113.5:25', 'ip4:203.0.113.5'],
  ['smtp://[2001:db8::5]:25', 'ip6:2001:db8::5'],
  ['smtp://localhost:25', 'mx'],
  ['smtp://127.0.0.1:25', 'mx'],
  ['smtp://[::1]:25', 'mx'],
  ['smtp://10.1.2.3:25', 'mx'],
  ['smtp://[fd00::1]:25', 'mx'],
  ['smtp://mail.internal', 'mx'],
  ['smtp://postfix', 'mx'],
])('derives from the next mail server %s the SPF term %s', async (url, term) => {
  const spf = (await records(setUp({ ...production, SMTP_URL: url }).cli))[1]
  expect(spf?.value).toBe(`v=spf1 ${term} -all`)
})

it.each([
  ['--mx', 'not a host'],
  ['--mx', 'single'],
  ['--spf', 'v=spf1 mx'],
  ['--spf', 'mx -all'],
  ['--spf', ''],
])('refuses %s %j', async (flag, value) => {
  const { code, stdout, stderr } = await setUp().cli(['relay', 'dns', `${flag}=${value}`])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`${flag} must be`)
})

it.each(kinds)('rotates the keys when DNS has the next pair, on %s', async (kind) => {
  const { cli, zone } = setUp({ ...production, DATABASE_URL: await freshUrl(kind) })
  const states = (keys: Key[]) => keys.map(({ state, published }) => [state, published].filter(Boolean).join(' '))
  expect(states((await cli(['relay', 'keys'])).answer().keys)).toEqual(['current', 'current'])
  const rotated = await cli(['relay', 'rotate'])
  const { keys, promoted } = rotated.answer() as { keys: Key[]; promoted: boolean }
  expect([promoted, states(keys)]).toEqual([false, ['current', 'current', 'next missing', 'next missing']])
  expect(rotated.stderr).toContain('cli relay dns')
  expect((await cli(['relay', 'rotate'])).stderr).toContain('A next pair is waiting already')
  expect((await records(cli)).filter(({ purpose }) => purpose === 'dkim')).toHaveLength(4)
  for (const { dns } of keys.slice(2)) zone[`TXT ${dns.name}`] = [dns.value]
  const done = (await cli(['relay', 'keys'])).answer()
  expect([done.promoted, states(done.keys)]).toEqual([true, ['retired', 'retired', 'current', 'current']])
  expect(done.keys[0].keep_until).toMatch(/^20/)
  expect((await cli(['relay', 'keys'])).answer().promoted).toBe(false)
})

it('lets the next pair of an evaluation sign at once, without DNS records', async () => {
  const { cli } = setUp({})
  expect((await cli(['relay', 'dns'])).stderr).toContain('An evaluation works without any of these.')
  expect((await cli(['relay', 'rotate'])).answer()).toMatchObject({
    promoted: true,
    keys: [{ state: 'retired' }, { state: 'retired' }, { state: 'current' }, { state: 'current' }],
  })
})

it('creates the first pair when a rotation comes before the first start', async () => {
  expect((await setUp().cli(['relay', 'rotate'])).answer().keys).toMatchObject([
    { state: 'current' },
    { state: 'current' },
  ])
})

it('checks the published records in doctor, and says what to fix', async () => {
  const { cli, zone } = setUp()
  const look = async () => {
    const { checks } = (await cli(['doctor'])).answer() as {
      checks: { name: string; state: string; message: string }[]
    }
    return Object.fromEntries(
      checks
        .filter(({ name }) => name.startsWith('relay '))
        .map(({ name, state }) => [name.replace(/-[0-9a-f]{12}$/, ''), state]),
    )
  }
  expect(await look()).toEqual({
    'relay MX': 'wrong',
    'relay SPF': 'wrong',
    'relay DMARC': 'wrong',
    'relay MTA-STS': 'ok',
    'relay DKIM': 'warning',
  })
  for (const { name, type, value } of await records(cli)) {
    const answer = type === 'MX' ? [{ priority: 10, exchange: 'mx.relay.example.org' }] : [value]
    zone[`${type} ${name}`] = answer
  }
  const keys = ['relay DKIM rsa', 'relay DKIM ed25519']
  const good = ['relay MX', 'relay SPF', 'relay DMARC', 'relay MTA-STS', ...keys]
  expect(await look()).toEqual(Object.fromEntries(good.map((name) => [name, 'ok'])))
  const [rsa = ''] = Object.keys(zone).filter((question) => question.includes('rsa-'))
  zone[rsa] = ['v=DKIM1; k=rsa; p=AAAA']
  zone['TXT relay.example.org'] = ['v=spf1 mx ~all']
  zone['TXT _dmarc.relay.example.org'] = ['v=DMARC1; p=none; sp=reject']
  zone['MX relay.example.org'] = 'trouble'
  expect(await look()).toMatchObject({
    'relay MX': 'warning',
    'relay SPF': 'warning',
    'relay DMARC': 'warning',
    'relay DKIM rsa': 'wrong',
  })
  zone['TXT relay.example.org'] = ['v=spf1 mx -all', 'v=spf1 a -all']
  zone['TXT _dmarc.relay.example.org'] = ['v=DMARC1; p=reject', 'v=DMARC1; p=reject']
  zone['MX relay.example.org'] = [{ priority: 0, exchange: '' }]
  expect(await look()).toMatchObject({ 'relay MX': 'wrong', 'relay SPF': 'wrong', 'relay DMARC': 'wrong' })
  await cli(['relay', 'rotate'])
  expect(await look()).toMatchObject({ 'relay DKIM ed25519': 'warning' })
})

it.each([
  ['a DMARC record with pct=0', 'relay DMARC', 'TXT _dmarc.relay.example.org', ['v=DMARC1; p=reject; pct=0']],
  ['a null MX', 'relay MX', 'MX relay.example.org', [{ priority: 0, exchange: '.' }]],
  ['an SPF record with ~all', 'relay SPF', 'TXT relay.example.org', ['v=spf1 mx ~all']],
])('does not accept %s, and prints the right one', async (_, check, question, answer) => {
  const { cli, zone } = setUp()
  zone[question] = answer
  const { checks } = (await cli(['doctor'])).answer() as { checks: { name: string; state: string; fix?: string }[] }
  const found = checks.find(({ name }) => name === check)
  expect(found?.state).not.toBe('ok')
  expect(found?.fix).toContain(`\n${question.split(' ')[1]}. IN ${question.split(' ')[0]} `)
})

it('prints every missing record in doctor as a zone file line, and no published one', async () => {
  const { cli, zone } = setUp()
  const wanted = await records(cli)
  const published = async () => {
    const { stderr } = await cli(['doctor'])
    return wanted.filter(({ name, type }) => stderr.includes(`\n      ${name}. IN ${type} `)).map(({ name }) => name)
  }
  const missing = wanted.filter(({ name }) => !name.startsWith('_smtp._tls.')).map(({ name }) => name)
  expect(await published()).toEqual(missing)
  expect(missing).toHaveLength(6)
  for (const { name, type, value } of wanted)
    zone[`${type} ${name}`] = type === 'MX' ? [{ priority: 10, exchange: 'mx.relay.example.org' }] : [value]
  expect(await published()).toEqual([])
})

it.each([
  ['an evaluation', {}],
  ['an installation without the relay', { ...production, ROLES: 'web,jobs' }],
])('sends no DNS query in doctor for %s', async (_, settings) => {
  const { checks } = (await setUp(settings).cli(['doctor'])).answer()
  expect(checks.filter(({ name }: { name: string }) => name.startsWith('relay '))).toEqual([])
})

it('finds mail keys in doctor that the master key does not open', async () => {
  const url = await freshUrl('sqlite')
  await setUp({ ...production, DATABASE_URL: url }).cli(['relay', 'keys'])
  const other = randomBytes(32).toString('base64url')
  const look = async (settings: object) => {
    const { checks } = (await setUp({ ...production, DATABASE_URL: url, ...settings }).cli(['doctor'])).answer()
    return checks.find(({ name }: { name: string }) => name === 'mail keys')?.state
  }
  expect(await look({})).toBe('ok')
  expect(await look({ SECRET_KEY: other })).toBe('wrong')
  expect(await look({ SECRET_KEY: other, SECRET_KEY_PREVIOUS: production.SECRET_KEY })).toBe('ok')
})
