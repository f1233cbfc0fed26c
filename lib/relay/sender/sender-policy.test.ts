import { describe, expect, it } from 'vitest'
import { type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { checkSender } from './sender-check.ts'
import { judgeSender, judgeStranger, type SenderVerdict } from './sender-policy.ts'

const now = new Date('2026-11-20T10:00:00Z')

async function judge(zone: Zone, sending: Sending = {}, registered: string[] = []): Promise<SenderVerdict> {
  const about = { resolver: makeDns(zone).resolver, evaluation: false, now }
  return judgeSender(await checkSender(await sentMail(sending), about), registered)
}

/** Formats a verdict: `accepted dmarc`, `later`, `refused nothing_passes`. */
const said = (verdict: SenderVerdict) =>
  [
    verdict.kind,
    ...(verdict.kind === 'accepted' ? [verdict.by] : []),
    ...(verdict.kind === 'refused' ? [verdict.reason] : []),
  ].join(' ')

const spfPass: Zone = { 'TXT acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
const spfTrouble: Zone = { 'TXT acme.example': 'trouble' }
const espSpf: Zone = { 'TXT esp.example': ['v=spf1 ip4:192.0.2.1 -all'] }
const signature: Zone = signedBy('acme.example')
const asks = (policy: string): Zone => ({ 'TXT _dmarc.acme.example': [`v=DMARC1; p=${policy}`] })
const viaEsp: Sending = { sender: 'bounce@esp.example' }

describe('an app without proven domains', () => {
  it.each<[string, string, Zone, Sending]>([
    ['accepted dmarc', 'aligned SPF, p=reject', { ...asks('reject'), ...spfPass }, {}],
    [
      'accepted dmarc',
      'an aligned signature',
      { ...asks('reject'), ...signature },
      { ...viaEsp, signed: ['acme.example'] },
    ],
    [
      'accepted dmarc',
      'aligned SPF, DNS trouble with the key',
      { ...asks('reject'), ...spfPass, 'TXT s1._domainkey.acme.example': 'trouble' },
      { signed: ['acme.example'] },
    ],
    ['refused dmarc_failed', 'nothing, p=reject', asks('reject'), {}],
    ['refused dmarc_failed', 'nothing, p=quarantine', asks('quarantine'), {}],
    ['refused dmarc_failed', 'foreign SPF, p=reject', { ...asks('reject'), ...espSpf }, viaEsp],
    [
      'refused dmarc_failed',
      'a foreign signature, p=quarantine',
      { ...asks('quarantine'), ...signedBy('esp.example') },
      { signed: ['esp.example'] },
    ],
    ['accepted spf', 'foreign SPF, p=none', { ...asks('none'), ...espSpf }, viaEsp],
    [
      'accepted dkim',
      'a foreign signature, p=none',
      { ...asks('none'), ...signedBy('esp.example') },
      { signed: ['esp.example'] },
    ],
    ['refused nothing_passes', 'nothing, p=none', asks('none'), {}],
    ['accepted spf', 'SPF, no record', spfPass, {}],
    ['accepted dkim', 'a signature, no record', signature, { signed: ['acme.example'] }],
    ['refused nothing_passes', 'nothing, no record', {}, {}],
    ['refused nothing_passes', 'SPF softfail, no record', { 'TXT acme.example': ['v=spf1 ~all'] }, {}],
    ['later', 'DNS trouble with SPF, no record', spfTrouble, {}],
    [
      'accepted dkim',
      'DNS trouble with SPF, a signature, no record',
      { ...spfTrouble, ...signature },
      { signed: ['acme.example'] },
    ],
    ['later', 'DNS trouble with SPF, p=reject', { ...asks('reject'), ...spfTrouble }, {}],
    [
      'refused dmarc_failed',
      'DNS trouble with foreign SPF, p=reject',
      { ...asks('reject'), 'TXT esp.example': 'trouble' },
      viaEsp,
    ],
    ['later', 'DNS trouble with the policy record', { ...spfPass, 'TXT _dmarc.acme.example': 'trouble' }, {}],
  ])('returns %s: %s', async (outcome, _, zone, sending) => {
    expect(said(await judge(zone, sending))).toBe(outcome)
  })

  it('is judged by HELO for the null sender, and otherwise like other mail', async () => {
    const helo: Zone = { 'TXT mail.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    expect(said(await judge(helo, { sender: '' }))).toBe('accepted spf')
    expect(said(await judge({ ...helo, ...asks('reject') }, { sender: '' }))).toBe('accepted dmarc')
    expect(said(await judge(helo, { sender: '', ip: '203.0.113.9' }))).toBe('refused nothing_passes')
    expect(said(await judge({ ...asks('reject') }, { sender: '' }))).toBe('refused dmarc_failed')
  })

  it('is accepted from this machine', () => {
    expect(judgeSender({ kind: 'local' }, [])).toEqual({ kind: 'accepted', by: 'this machine' })
    expect(judgeSender({ kind: 'local' }, ['acme.example'])).toEqual({ kind: 'accepted', by: 'this machine' })
  })
})

describe('an app with proven domains', () => {
  const mine = ['acme.example', 'bounce.acme.example']

  it.each<[string, string, Zone, Sending, string[]?]>([
    ['accepted spf', 'SPF of a registered MAIL FROM', spfPass, {}],
    [
      'accepted spf',
      'SPF of another registered MAIL FROM',
      { 'TXT bounce.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] },
      { sender: 'b@bounce.acme.example' },
    ],
    ['accepted spf', 'a registered MAIL FROM in another case', spfPass, { sender: 'Hello@ACME.Example' }],
    ['accepted dkim', 'a signature of the registered author', signature, { ...viaEsp, signed: ['acme.example'] }],
    [
      'refused not_registered',
      'SPF of a subdomain',
      { 'TXT news.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] },
      { from: 'a@news.acme.example' },
    ],
    [
      'refused not_registered',
      'a signature of a subdomain',
      signedBy('news.acme.example'),
      { from: 'a@news.acme.example', signed: ['news.acme.example'] },
    ],
    [
      'refused not_registered',
      'the registered parent signs for a subdomain',
      signature,
      { from: 'a@news.acme.example', signed: ['acme.example'] },
    ],
    [
      'refused not_registered',
      'a registered domain signs for another domain',
      signature,
      { from: 'a@other.example', signed: ['acme.example'] },
    ],
    [
      'refused not_registered',
      'DMARC of an unregistered domain',
      { 'TXT _dmarc.other.example': ['v=DMARC1; p=reject'], 'TXT other.example': ['v=spf1 ip4:192.0.2.1 -all'] },
      { from: 'a@other.example' },
    ],
    ['refused not_registered', 'nothing passes', {}, {}],
    [
      'refused dmarc_failed',
      'registered SPF, but DMARC failure of the author’s domain',
      { ...spfPass, 'TXT _dmarc.bank.example': ['v=DMARC1; p=reject'] },
      { from: 'ceo@bank.example', sender: 'a@acme.example' },
    ],
    ['later', 'DNS trouble with registered SPF', spfTrouble, {}],
    [
      'later',
      'DNS trouble with a registered key',
      { 'TXT s1._domainkey.acme.example': 'trouble' },
      { signed: ['acme.example'] },
    ],
    [
      'refused not_registered',
      'DNS trouble with a foreign key',
      { 'TXT s1._domainkey.esp.example': 'trouble' },
      { ...viaEsp, signed: ['esp.example'] },
    ],
  ])('returns %s: %s', async (outcome, _, zone, sending) => {
    expect(said(await judge(zone, sending, mine))).toBe(outcome)
  })
})

it('gives the developer every finding of a rejection, and no address', async () => {
  const zone = { ...asks('reject'), ...signedBy('esp.example'), 'TXT esp.example': ['v=spf1 -all'] } satisfies Zone
  const verdict = await judge(zone, { ...viaEsp, signed: ['esp.example', 'nokey.example'] })
  expect(verdict).toEqual({
    kind: 'refused',
    reason: 'dmarc_failed',
    detail: {
      from: 'acme.example',
      client: '192.0.2.1',
      spf: 'fail for esp.example',
      dkim: expect.arrayContaining(['pass for esp.example, s1', 'neutral for nokey.example, s1: no key']),
      dmarc: 'fail (acme.example asks for reject)',
      results: expect.stringMatching(/^spf fail, (dkim (pass|neutral), ){2}dmarc fail$/),
    },
  })
  expect(JSON.stringify(verdict)).not.toContain('@')
  const unregistered = await judge(spfPass, {}, ['other.example'])
  expect(unregistered).toMatchObject({
    detail: { spf: 'pass for acme.example', dmarc: 'none', registered: ['other.example'] },
  })
})

describe('an address made by hand', () => {
  const judgeHand = async (zone: Zone, sending: Sending) => {
    const about = { resolver: makeDns(zone).resolver, evaluation: false, now }
    return said(judgeStranger(await checkSender(await sentMail(sending), about)))
  }
  const signedMail: Sending = { ...viaEsp, signed: ['acme.example'] }

  it.each<[string, string, Zone, Sending]>([
    ['accepted dmarc', 'aligned SPF, p=reject', { ...asks('reject'), ...spfPass }, {}],
    ['accepted dmarc', 'an aligned signature, p=none', { ...asks('none'), ...signature }, signedMail],
    ['accepted spf', 'SPF of the same domain, no record', spfPass, {}],
    ['accepted dkim', 'a signature of the same domain, no record', signature, signedMail],
    ['refused not_aligned', 'nothing, no record', {}, {}],
    ['refused not_aligned', 'nothing, p=none', asks('none'), {}],
    ['refused not_aligned', 'nothing, p=reject', asks('reject'), {}],
    ['refused not_aligned', 'foreign SPF, p=none', { ...asks('none'), ...espSpf }, viaEsp],
    ['refused not_aligned', 'foreign SPF, no record', espSpf, viaEsp],
    ['refused not_aligned', 'a foreign signature, no record', signedBy('esp.example'), { signed: ['esp.example'] }],
    ['later', 'DNS trouble with SPF', { ...asks('none'), ...spfTrouble }, {}],
    ['later', 'DNS trouble with the record', { ...spfPass, 'TXT _dmarc.acme.example': 'trouble' }, {}],
  ])('answers %s: %s', async (expected, _what, zone, sending) => {
    expect(await judgeHand(zone, sending)).toBe(expected)
  })
})
