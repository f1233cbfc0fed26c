import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { arrived, type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import type { Evidence } from './evidence.ts'
import { type CheckedWith, checkSender } from './sender-check.ts'

const now = new Date('2026-11-20T10:00:00Z')

async function check(zone: Zone, sending: Sending = {}, about: Partial<CheckedWith> = {}): Promise<Evidence> {
  const mail = await sentMail(sending)
  const checked = await checkSender(mail, { resolver: makeDns(zone).resolver, evaluation: false, now, ...about })
  if (checked.kind !== 'checked') throw new Error('It was taken for mail of this machine.')
  return checked
}

const spfPass: Zone = { 'TXT acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
const dmarc = (policy: string, domain = 'acme.example'): Zone => ({
  [`TXT _dmarc.${domain}`]: [`v=DMARC1; p=${policy}`],
})
const spfOf = (record: string): Zone => ({ 'TXT acme.example': [record] })

describe('SPF is of the last hop and of MAIL FROM', () => {
  test.each([
    ['pass', spfPass],
    ['fail', spfOf('v=spf1 ip4:192.0.2.9 -all')],
    ['softfail', spfOf('v=spf1 ~all')],
    ['neutral', spfOf('v=spf1 ?all')],
    ['none', {}],
    ['permerror', spfOf('v=spf1 include:nowhere.example -all')],
    ['temperror', { 'TXT acme.example': 'trouble' } satisfies Zone],
  ] as [string, Zone][])('%s', async (result, zone) => {
    expect((await check(zone)).spf).toEqual({ result, domain: 'acme.example' })
  })

  test('the null sender stands for HELO', async () => {
    const zone: Zone = { 'TXT mail.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    expect((await check(zone, { sender: '' })).spf).toEqual({ result: 'pass', domain: 'mail.acme.example' })
    expect((await check(zone, { sender: '', helo: '[192.0.2.1]' })).spf.result).toBe('none')
  })

  test('a Received field naming a permitted address helps nobody', async () => {
    const tamper = (text: string) => `Received: from mail.acme.example ([192.0.2.1]) by x.example; now\r\n${text}`
    expect((await check(spfPass, { ip: '203.0.113.9', tamper })).spf.result).toBe('fail')
  })

  test('an internationalized domain is compared as DNS has it', async () => {
    const zone: Zone = { 'TXT xn--bcher-kva.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    const { author, spf } = await check(zone, { from: 'hello@Bücher.example' })
    expect([author, spf]).toEqual(['xn--bcher-kva.example', { result: 'pass', domain: 'xn--bcher-kva.example' }])
  })
})

describe('DKIM', () => {
  const results = async (zone: Zone, sending: Sending) =>
    (await check(zone, sending)).dkim.map(({ result, domain, why }) => [result, domain, why])

  test('every signature is told with its domain', async () => {
    const zone = signedBy('acme.example', 'esp.example')
    expect(await results(zone, { signed: ['acme.example', 'esp.example', 'nokey.example'] })).toEqual(
      expect.arrayContaining([
        ['pass', 'acme.example', ''],
        ['pass', 'esp.example', ''],
        ['neutral', 'nokey.example', 'no key'],
      ]),
    )
  })

  test('no signature, no result', async () => {
    expect(await results({}, {})).toEqual([])
  })

  test('a changed body, a changed header and a key nobody can look up do not pass', async () => {
    const zone = signedBy('acme.example')
    const signed = ['acme.example']
    const body = (text: string) => text.replace('Good day', 'Bad day')
    expect(await results(zone, { signed, tamper: body })).toEqual([
      ['neutral', 'acme.example', 'body hash did not verify'],
    ])
    const subject = (text: string) => text.replace('Subject: Hello', 'Subject: Pay')
    expect(await results(zone, { signed, tamper: subject })).toEqual([['fail', 'acme.example', 'bad signature']])
    const trouble: Zone = { 'TXT s1._domainkey.acme.example': 'trouble' }
    expect(await results(trouble, { signed })).toEqual([['temperror', 'acme.example', 'DNS failure: ESERVFAIL']])
  })

  test('a signature of a part of the body does not count', async () => {
    const zone = { ...signedBy('acme.example'), ...dmarc('reject') }
    const evidence = await check(zone, { signed: ['acme.example'], signedBytes: 4 })
    expect(evidence.dkim[0]?.result).toBe('policy')
    expect(evidence.dmarc.result).toBe('fail')
  })

  test('five signatures are looked at, and chains of other relays not at all', async () => {
    const dns = makeDns(signedBy('acme.example'))
    const junk = Array.from(
      { length: 500 },
      (_, n) => `DKIM-Signature: v=1; a=rsa-sha256; d=n${n}.example; s=s1; l=${n}; h=from; bh=AA==; b=AA==\r\n`,
    ).join('')
    const chain = `ARC-Seal: i=1; a=rsa-sha256; d=arc.example; s=s1; cv=none; b=AA==\r\nARC-Message-Signature: i=1; a=rsa-sha256; d=arc.example; s=s1; h=from; bh=AA==; b=AA==\r\nARC-Authentication-Results: i=1; arc.example; spf=pass\r\n`
    const mail = await sentMail({
      signed: ['acme.example'],
      tamper: (text) => chain + text.replace(/^Subject:/m, `${junk}Subject:`),
    })
    const checked = await checkSender(mail, { resolver: dns.resolver, evaluation: false, now })
    expect(checked.kind === 'checked' && checked.dkim.map(({ result }) => result)).toHaveLength(5)
    expect(checked.kind === 'checked' && checked.dkim.some(({ result }) => result === 'pass')).toBe(true)
    expect(dns.asked.filter((question) => question.includes('domainkey.arc.example'))).toEqual([])
  })

  test('a body that breaks off is a fault, not a verdict', async () => {
    const mail = await sentMail({ signed: ['acme.example'], canonicalization: 'simple/simple' })
    const broken = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('Good')
          throw new Error('the disk is gone')
        })(),
      )
    const about = { resolver: makeDns({}).resolver, evaluation: false, now }
    await expect(checkSender({ ...mail, message: { ...mail.message, body: broken } }, about)).rejects.toThrow('disk')
  })
})

describe('DMARC', () => {
  test.each(['none', 'quarantine', 'reject'] as const)(
    'a failure tells that the domain asks for %s',
    async (policy) => {
      expect((await check(dmarc(policy))).dmarc).toMatchObject({
        result: 'fail',
        policy,
        record: 'acme.example',
        aligned: { spf: false, dkim: false },
        mayYetPass: false,
      })
    },
  )

  test('passes by aligned SPF, by an aligned signature, and by those of the organization', async () => {
    expect((await check({ ...dmarc('reject'), ...spfPass })).dmarc).toMatchObject({
      result: 'pass',
      aligned: { spf: true, dkim: false },
    })
    const signed = ['acme.example']
    const evidence = await check(
      { ...dmarc('reject'), ...signedBy('acme.example') },
      { signed, sender: 'b@esp.example' },
    )
    expect(evidence.dmarc).toMatchObject({ result: 'pass', aligned: { spf: false, dkim: true } })
    const below = await check(
      { ...dmarc('reject'), ...signedBy('acme.example') },
      { signed, from: 'a@news.acme.example' },
    )
    expect(below.dmarc).toMatchObject({ result: 'pass', record: 'acme.example' })
  })

  test('a strict record wants the very domain', async () => {
    const zone = { ...signedBy('acme.example'), 'TXT _dmarc.acme.example': ['v=DMARC1; p=reject; adkim=s'] }
    const evidence = await check(zone, { signed: ['acme.example'], from: 'a@news.acme.example' })
    expect(evidence.dmarc.result).toBe('fail')
  })

  test('a foreign signature and SPF of a foreign MAIL FROM are not aligned', async () => {
    const zone: Zone = {
      ...dmarc('reject'),
      ...signedBy('esp.example'),
      'TXT esp.example': ['v=spf1 ip4:192.0.2.1 -all'],
    }
    const evidence = await check(zone, { sender: 'b@esp.example', signed: ['esp.example'] })
    expect(evidence.spf.result).toBe('pass')
    expect(evidence.dmarc).toMatchObject({ result: 'fail', aligned: { spf: false, dkim: false } })
  })

  test('a record in test mode asks for one step less', async () => {
    expect((await check({ 'TXT _dmarc.acme.example': ['v=DMARC1; p=reject; t=y'] })).dmarc.policy).toBe('quarantine')
  })

  test('without a record the very same domain alone speaks for the author', async () => {
    expect((await check(spfPass)).dmarc).toMatchObject({ result: 'none', aligned: { spf: true, dkim: false } })
    const evidence = await check(signedBy('acme.example'), { signed: ['acme.example'], from: 'a@news.acme.example' })
    expect(evidence.dmarc).toMatchObject({ result: 'none', aligned: { spf: false, dkim: false } })
  })

  test('trouble with the record is told as such, and trouble with what could be aligned as a hope', async () => {
    expect((await check({ 'TXT _dmarc.acme.example': 'trouble' })).dmarc.result).toBe('temperror')
    const hope = async (zone: Zone, sending: Sending = {}) =>
      (await check({ ...dmarc('reject'), ...zone }, sending)).dmarc
    expect(await hope({ 'TXT acme.example': 'trouble' })).toMatchObject({ result: 'fail', mayYetPass: true })
    const key: Zone = { 'TXT s1._domainkey.acme.example': 'trouble' }
    expect(await hope(key, { signed: ['acme.example'] })).toMatchObject({ result: 'fail', mayYetPass: true })
    const foreign: Zone = { 'TXT s1._domainkey.esp.example': 'trouble' }
    expect(await hope(foreign, { signed: ['esp.example'] })).toMatchObject({ result: 'fail', mayYetPass: false })
  })

  test.each(['a@', 'a@[192.0.2.1]', 'a@not a domain'])('%s names no domain that could vouch', async (author) => {
    const mail = { ...(await sentMail()), author }
    const checked = await checkSender(mail, { resolver: makeDns(spfPass).resolver, evaluation: false, now })
    const dmarcResult = checked.kind === 'checked' ? checked.dmarc : undefined
    expect(dmarcResult?.aligned).toEqual({ spf: false, dkim: false })
    expect(['none', 'no author']).toContain(dmarcResult?.result)
  })
})

describe('mail of this machine', () => {
  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
    'from %s needs no proof in an evaluation',
    async (ip) => {
      const dns = makeDns({})
      const about = { resolver: dns.resolver, now }
      const mail = arrived(
        { author: 'a@x.example', sender: '', client: { ip, helo: 'x' } },
        'From: a@x.example\r\n\r\n',
      )
      expect(await checkSender(mail, { ...about, evaluation: true })).toEqual({ kind: 'local' })
      expect(dns.asked).toEqual([])
      expect((await checkSender(mail, { ...about, evaluation: false })).kind).toBe('checked')
    },
  )

  test.each(['192.168.0.7', '::ffff:192.0.2.1', 'fe80::1'])('%s is another machine', async (ip) => {
    expect((await check({}, { ip }, { evaluation: true })).kind).toBe('checked')
  })
})

describe('a stranger’s DNS', () => {
  test('that never answers is trouble once the time is over', async () => {
    const evidence = await check(
      {},
      { signed: ['acme.example'] },
      { resolver: () => new Promise(() => undefined), limits: { milliseconds: 20 } },
    )
    expect([evidence.spf.result, evidence.dkim[0]?.result, evidence.dmarc.result]).toEqual([
      'temperror',
      'temperror',
      'temperror',
    ])
  })

  test('is asked so many questions and no more, and none twice', async () => {
    const dns = makeDns({ ...spfPass, ...dmarc('reject') })
    const evidence = await check(
      {},
      { signed: ['a.example', 'b.example', 'c.example'] },
      { resolver: dns.resolver, limits: { questions: 2 } },
    )
    expect(dns.asked.length).toBe(2)
    expect(new Set(dns.asked).size).toBe(2)
    expect(evidence.dmarc.result).toBe('temperror')
  })
})
