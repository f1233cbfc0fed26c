import { describe, expect, test } from 'vitest'
import { type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { checkSender } from './sender-check.ts'
import { judgeSender, type SenderVerdict } from './sender-policy.ts'

const now = new Date('2026-11-20T10:00:00Z')

async function judge(zone: Zone, sending: Sending = {}, registered: string[] = []): Promise<SenderVerdict> {
  const about = { resolver: makeDns(zone).resolver, evaluation: false, now }
  return judgeSender(await checkSender(await sentMail(sending), about), registered)
}

/** `accepted dmarc`, `later`, `refused nothing_passes`. */
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
  test.each<[string, string, Zone, Sending]>([
    ['accepted dmarc', 'aligned SPF, p=reject', { ...asks('reject'), ...spfPass }, {}],
    [
      'accepted dmarc',
      'an aligned signature',
      { ...asks('reject'), ...signature },
      { ...viaEsp, signed: ['acme.example'] },
    ],
    [
      'accepted dmarc',
      'aligned SPF while the key is in trouble',
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
    ['later', 'SPF in trouble, no record', spfTrouble, {}],
    [
      'accepted dkim',
      'SPF in trouble, a signature, no record',
      { ...spfTrouble, ...signature },
      { signed: ['acme.example'] },
    ],
    ['later', 'SPF in trouble, p=reject', { ...asks('reject'), ...spfTrouble }, {}],
    [
      'refused dmarc_failed',
      'foreign SPF in trouble, p=reject',
      { ...asks('reject'), 'TXT esp.example': 'trouble' },
      viaEsp,
    ],
    ['later', 'the policy itself in trouble', { ...spfPass, 'TXT _dmarc.acme.example': 'trouble' }, {}],
  ])('%s: %s', async (outcome, _, zone, sending) => {
    expect(said(await judge(zone, sending))).toBe(outcome)
  })

  test('the null sender is judged by HELO, and otherwise as any mail', async () => {
    const helo: Zone = { 'TXT mail.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] }
    expect(said(await judge(helo, { sender: '' }))).toBe('accepted spf')
    expect(said(await judge({ ...helo, ...asks('reject') }, { sender: '' }))).toBe('accepted dmarc')
    expect(said(await judge(helo, { sender: '', ip: '203.0.113.9' }))).toBe('refused nothing_passes')
    expect(said(await judge({ ...asks('reject') }, { sender: '' }))).toBe('refused dmarc_failed')
  })

  test('mail of this machine is accepted', () => {
    expect(judgeSender({ kind: 'local' }, [])).toEqual({ kind: 'accepted', by: 'this machine' })
    expect(judgeSender({ kind: 'local' }, ['acme.example'])).toEqual({ kind: 'accepted', by: 'this machine' })
  })
})

describe('an app with proven domains', () => {
  const mine = ['acme.example', 'bounce.acme.example']

  test.each<[string, string, Zone, Sending, string[]?]>([
    ['accepted spf', 'SPF of a registered MAIL FROM', spfPass, {}],
    [
      'accepted spf',
      'SPF of another registered MAIL FROM',
      { 'TXT bounce.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] },
      { sender: 'b@bounce.acme.example' },
    ],
    ['accepted spf', 'registered MAIL FROM whatever its capitals', spfPass, { sender: 'Hello@ACME.Example' }],
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
      'a registered domain signs for somebody else',
      signature,
      { from: 'a@other.example', signed: ['acme.example'] },
    ],
    [
      'refused not_registered',
      'DMARC passes for a domain nobody registered',
      { 'TXT _dmarc.other.example': ['v=DMARC1; p=reject'], 'TXT other.example': ['v=spf1 ip4:192.0.2.1 -all'] },
      { from: 'a@other.example' },
    ],
    ['refused not_registered', 'nothing passes', {}, {}],
    [
      'refused dmarc_failed',
      'registered SPF, but the author disowns it',
      { ...spfPass, 'TXT _dmarc.bank.example': ['v=DMARC1; p=reject'] },
      { from: 'ceo@bank.example', sender: 'a@acme.example' },
    ],
    ['later', 'registered SPF in trouble', spfTrouble, {}],
    [
      'later',
      'a registered key in trouble',
      { 'TXT s1._domainkey.acme.example': 'trouble' },
      { signed: ['acme.example'] },
    ],
    [
      'refused not_registered',
      'a foreign key in trouble',
      { 'TXT s1._domainkey.esp.example': 'trouble' },
      { ...viaEsp, signed: ['esp.example'] },
    ],
  ])('%s: %s', async (outcome, _, zone, sending) => {
    expect(said(await judge(zone, sending, mine))).toBe(outcome)
  })
})

test('a refusal tells the developer all that was found, and no address', async () => {
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
