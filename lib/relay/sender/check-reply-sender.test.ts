import { expect, it } from 'vitest'
import { type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { checkReplySender } from './check-reply-sender.ts'

const now = new Date('2026-11-20T10:00:00Z')

async function judge(zone: Zone, sending: Sending, { evaluation = false, verified = 'ada@home.example' } = {}) {
  const dns = makeDns(zone)
  const verdict = await checkReplySender(await sentMail(sending), verified, { resolver: dns.resolver, evaluation, now })
  return { said: [verdict.kind, ...('reason' in verdict ? [verdict.reason] : [])].join(' '), asked: dns.asked }
}

const record: Zone = { 'TXT _dmarc.home.example': ['v=DMARC1; p=none'] }
const spf: Zone = { 'TXT home.example': ['v=spf1 ip4:192.0.2.1 -all'] }
const key = signedBy('home.example')
const from = 'ada@home.example'
const signed = ['home.example']
const list = 'list-1@bounces.home.example'

it.each<[string, string, Zone, Sending]>([
  ['accepted', 'DMARC by signature', { ...record, ...key }, { from, signed, sender: 'x@esp.example' }],
  ['accepted', 'DMARC by SPF of the identical address', { ...record, ...spf }, { from }],
  ['accepted', 'no record, a signature of the same domain', key, { from, signed }],
  ['accepted', 'no record, SPF of the identical address', spf, { from }],
  ['accepted', 'another case of the address', spf, { from: 'Ada@Home.Example' }],
  ['refused not_proven', 'nothing passes', record, { from }],
  ['refused not_proven', 'nothing passes, no record', {}, { from }],
  [
    'refused not_proven',
    'a foreign signature with p=none',
    { ...record, ...signedBy('esp.example') },
    { from, signed: ['esp.example'] },
  ],
  [
    'refused not_proven',
    'SPF of another MAIL FROM',
    { ...record, 'TXT bounces.home.example': ['v=spf1 ip4:192.0.2.1 -all'] },
    { from, sender: list },
  ],
  [
    'refused not_proven',
    'SPF of HELO, for the null sender',
    { 'TXT mail.acme.example': ['v=spf1 ip4:192.0.2.1 -all'] },
    { from, sender: '' },
  ],
  [
    'refused other_sender',
    'another sender of the same domain',
    { ...record, ...key },
    { from: 'eve@home.example', signed },
  ],
  ['refused other_sender', 'a tagged variant', { ...record, ...key }, { from: 'ada+x@home.example', signed }],
  ['later', 'DNS trouble with the record', { ...key, 'TXT _dmarc.home.example': 'trouble' }, { from, signed }],
  ['later', 'DNS trouble with the key', { ...record, 'TXT s1._domainkey.home.example': 'trouble' }, { from, signed }],
  ['later', 'DNS trouble with the key, no record', { 'TXT s1._domainkey.home.example': 'trouble' }, { from, signed }],
  [
    'later',
    'DNS trouble with the key, SPF of another MAIL FROM',
    {
      ...record,
      'TXT bounces.home.example': ['v=spf1 ip4:192.0.2.1 -all'],
      'TXT s1._domainkey.home.example': 'trouble',
    },
    { from, signed, sender: list },
  ],
  ['later', 'DNS trouble with SPF', { ...record, 'TXT home.example': 'trouble' }, { from }],
])('returns %s: %s', async (outcome, _, zone, sending) => {
  expect((await judge(zone, sending)).said).toBe(outcome)
})

it('accepts both spellings of an internationalized domain', async () => {
  const zone: Zone = { 'TXT xn--bcher-kva.example': ['v=spf1 ip4:192.0.2.1 -all'] }
  const sending = { from: 'ada@xn--bcher-kva.example' }
  expect((await judge(zone, sending, { verified: 'ada@bücher.example' })).said).toBe('accepted')
})

it('rejects another sender without a DNS query', async () => {
  expect((await judge({}, { from: 'eve@evil.example', signed: ['evil.example'] })).asked).toEqual([])
})

it('requires no proof of this machine in an evaluation, but still the person’s address', async () => {
  const here = { ip: '127.0.0.1', evaluation: true }
  expect((await judge({}, { from, ip: here.ip }, here)).said).toBe('accepted')
  expect((await judge({}, { from: 'eve@home.example', ip: here.ip }, here)).said).toBe('refused other_sender')
})
