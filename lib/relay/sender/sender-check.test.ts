import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { arrived, type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { type CheckedWith, checkSender, type Evidence } from './sender-check.ts'

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

describe('SPF of the last hop and of MAIL FROM', () => {
  it.each([
    ['pass', spfPass],
    ['fail', spfOf('v=spf1 ip4:192.0.2.9 -all')],
    ['softfail', spfOf('v=spf1 ~all')],
    ['neutral', spfOf('v=spf1 ?all')],
    ['none', {}],
    ['permerror', spfOf('v=spf1 include:nowhere.example -all')],
    ['temperror', { 'TXT acme.example': 'trouble' } satisfies Zone],
  ] as [string, Zone][])('returns %s', async (result, zone) => {
    expect((await check(zone)).spf).toEqual({ result, domain: 'acme.example' })
  })

  it('uses HELO for the null sender', async () => {
    const zone: Zone = { 'TXT mail.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    expect((await check(zone, { sender: '' })).spf).toEqual({ result: 'pass', domain: 'mail.acme.example' })
    expect((await check(zone, { sender: '', helo: '[192.0.2.1]' })).spf.result).toBe('none')
  })

  it('ignores a Received field with a permitted address', async () => {
    const tamper = (text: string) => `Received: from mail.acme.example ([192.0.2.1]) by x.example; now\r\n${text}`
    expect((await check(spfPass, { ip: '203.0.113.9', tamper })).spf.result).toBe('fail')
  })

  it('compares an internationalized domain in its DNS form', async () => {
    const zone: Zone = { 'TXT xn--bcher-kva.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    const { author, spf } = await check(zone, { from: 'hello@Bücher.example' })
    expect([author, spf]).toEqual(['xn--bcher-kva.example', { result: 'pass', domain: 'xn--bcher-kva.example' }])
  })
})

describe('DKIM', () => {
  const results = async (zone: Zone, sending: Sending) =>
    (await check(zone, sending)).dkim.map(({ result, domain, why }) => [result, domain, why])

  it('returns every signature with its domain', async () => {
    const zone = signedBy('acme.example', 'esp.example')
    expect(await results(zone, { signed: ['acme.example', 'esp.example', 'nokey.example'] })).toEqual(
      expect.arrayContaining([
        ['pass', 'acme.example', ''],
        ['pass', 'esp.example', ''],
        ['neutral', 'nokey.example', 'no key'],
      ]),
    )
  })

  it('returns no result without a signature', async () => {
    expect(await results({}, {})).toEqual([])
  })

  it('does not pass with a changed body, a changed header or an unavailable key', async () => {
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

  it('does not count a signature of a part of the body', async () => {
    const zone = { ...signedBy('acme.example'), ...dmarc('reject') }
    const evidence = await check(zone, { signed: ['acme.example'], signedBytes: 4 })
    expect(evidence.dkim[0]?.result).toBe('policy')
    expect(evidence.dmarc.result).toBe('fail')
  })

  it('checks five signatures and no ARC chain', async () => {
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

  it('throws for a truncated body instead of returning a verdict', async () => {
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
  it.each(['none', 'quarantine', 'reject'] as const)('returns the requested policy %s on failure', async (policy) => {
    expect((await check(dmarc(policy))).dmarc).toMatchObject({
      result: 'fail',
      policy,
      record: 'acme.example',
      aligned: { spf: false, dkim: false },
      mayYetPass: false,
    })
  })

  it('passes by aligned SPF, by an aligned signature, and by those of the organization’s domain', async () => {
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

  it('requires the identical domain in a strict record', async () => {
    const zone = { ...signedBy('acme.example'), 'TXT _dmarc.acme.example': ['v=DMARC1; p=reject; adkim=s'] }
    const evidence = await check(zone, { signed: ['acme.example'], from: 'a@news.acme.example' })
    expect(evidence.dmarc.result).toBe('fail')
  })

  it('does not align a foreign signature or SPF of a foreign MAIL FROM', async () => {
    const zone: Zone = {
      ...dmarc('reject'),
      ...signedBy('esp.example'),
      'TXT esp.example': ['v=spf1 ip4:192.0.2.1 -all'],
    }
    const evidence = await check(zone, { sender: 'b@esp.example', signed: ['esp.example'] })
    expect(evidence.spf.result).toBe('pass')
    expect(evidence.dmarc).toMatchObject({ result: 'fail', aligned: { spf: false, dkim: false } })
  })

  it('lowers the policy of a record in test mode by one step', async () => {
    expect((await check({ 'TXT _dmarc.acme.example': ['v=DMARC1; p=reject; t=y'] })).dmarc.policy).toBe('quarantine')
  })

  it('aligns only the identical domain without a record', async () => {
    expect((await check(spfPass)).dmarc).toMatchObject({ result: 'none', aligned: { spf: true, dkim: false } })
    const evidence = await check(signedBy('acme.example'), { signed: ['acme.example'], from: 'a@news.acme.example' })
    expect(evidence.dmarc).toMatchObject({ result: 'none', aligned: { spf: false, dkim: false } })
  })

  it('returns temperror for trouble with the record, and mayYetPass for trouble with an aligned result', async () => {
    expect((await check({ 'TXT _dmarc.acme.example': 'trouble' })).dmarc.result).toBe('temperror')
    const hope = async (zone: Zone, sending: Sending = {}) =>
      (await check({ ...dmarc('reject'), ...zone }, sending)).dmarc
    expect(await hope({ 'TXT acme.example': 'trouble' })).toMatchObject({ result: 'fail', mayYetPass: true })
    const key: Zone = { 'TXT s1._domainkey.acme.example': 'trouble' }
    expect(await hope(key, { signed: ['acme.example'] })).toMatchObject({ result: 'fail', mayYetPass: true })
    const foreign: Zone = { 'TXT s1._domainkey.esp.example': 'trouble' }
    expect(await hope(foreign, { signed: ['esp.example'] })).toMatchObject({ result: 'fail', mayYetPass: false })
  })

  it.each(['a@', 'a@[192.0.2.1]', 'a@not a domain'])('finds no domain in %s that could align', async (author) => {
    const mail = { ...(await sentMail()), author }
    const checked = await checkSender(mail, { resolver: makeDns(spfPass).resolver, evaluation: false, now })
    const dmarcResult = checked.kind === 'checked' ? checked.dmarc : undefined
    expect(dmarcResult?.aligned).toEqual({ spf: false, dkim: false })
    expect(['none', 'no author']).toContain(dmarcResult?.result)
  })
})

describe('mail from this machine', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
    'needs no proof from %s in an evaluation',
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

  it.each(['192.168.0.7', '::ffff:192.0.2.1', 'fe80::1'])('does not include mail from %s', async (ip) => {
    expect((await check({}, { ip }, { evaluation: true })).kind).toBe('checked')
  })
})

describe('the DNS of a foreign domain', () => {
  it('results in temperror when it does not answer in time', async () => {
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

  it('is queried up to the limit, and never twice for the same name', async () => {
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
