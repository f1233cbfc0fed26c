import { describe, expect, it } from 'vitest'
import { type Sending, sentMail, signedBy } from '#lib/testing/relay/sent-mail'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { checkSender } from './sender-check.ts'

const now = new Date('2026-11-20T10:00:00Z')

async function results(zone: Zone, sending: Sending) {
  const checked = await checkSender(await sentMail(sending), {
    resolver: makeDns(zone).resolver,
    evaluation: false,
    now,
  })
  return checked.kind === 'checked' && checked.dkim.map(({ result, domain, why }) => [result, domain, why])
}

describe('a DKIM signature', () => {
  it.each(['relaxed/relaxed', 'relaxed/simple', 'simple/simple'] as const)(
    'passes with canonicalization %s',
    async (form) => {
      const sending = { signed: ['acme.example'], canonicalization: form, body: 'a\t b  \r\n\r\nc \r\n\r\n\r\n' }
      expect(await results(signedBy('acme.example'), sending)).toEqual([['pass', 'acme.example', '']])
      const tamper = (text: string) => text.replace('\r\nc', '\r\nd')
      expect(await results(signedBy('acme.example'), { ...sending, tamper })).toMatchObject([
        ['neutral', 'acme.example', 'body hash did not verify'],
      ])
    },
  )

  it('is verified without reading a relaxed body, by the hash computed on arrival', async () => {
    const mail = await sentMail({ signed: ['acme.example'] })
    const unread = () => {
      throw new Error('nobody asks for the body')
    }
    const about = { resolver: makeDns(signedBy('acme.example')).resolver, evaluation: false, now }
    const checked = await checkSender({ ...mail, message: { ...mail.message, body: unread } }, about)
    expect(checked).toMatchObject({ dkim: [{ result: 'pass' }] })
  })

  it('is not verified when it has endless blanks or hundreds of names, which would be slow', async () => {
    const blanks = `b=${'\r\n\t'.repeat(2000)}x`
    const names = `h=${'a:'.repeat(300)}from; b=x`
    for (const end of [blanks, names]) {
      const added = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=slow.example; s=s; bh=aaaa; ${end}\r\n`
      const sending = { signed: ['acme.example'], tamper: (text: string) => added + text }
      expect(await results(signedBy('acme.example'), sending)).toEqual([['pass', 'acme.example', '']])
    }
  })

  it('returns the reason for a weak algorithm', async () => {
    const sha1 = { signed: ['acme.example'], tamper: (text: string) => text.replace('a=rsa-sha256', 'a=rsa-sha1') }
    expect(await results(signedBy('acme.example'), sha1)).toEqual([['policy', 'acme.example', 'weak algorithm']])
  })
})
