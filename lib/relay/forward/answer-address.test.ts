import { describe, expect, it } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { appMessage, fieldOf, inbox, openRelayTest, personReply, reverseOf } from '#lib/testing/relay/relay'
import { answerAddress } from './forward.ts'

const answerTo = (replyTo: string | undefined, from = 'a@acme.example', proven: string[] = []) => {
  const head = replyTo === undefined ? 'Subject: x' : `Reply-To: ${replyTo}`
  const rules = { relayDomain: 'relay.example', proven }
  return answerAddress(readFields(Buffer.from(`${head}\r\n\r\n`)), { address: from, name: '' }, rules)
}

describe('the reply address of an app’s message', () => {
  it.each([
    ['help@acme.example', 'help@acme.example'],
    ['help@support.ACME.example', 'help@support.ACME.example'],
    ['Help <help@acme.example>, other@acme.example', 'help@acme.example'],
    ['kx7m2p9qrstv@Relay.Example', 'a@acme.example'],
    ['kx7m2p9qrstv@relay.example, help@acme.example', 'help@acme.example'],
    ['not an address', 'a@acme.example'],
    ['Group: help@acme.example;', 'a@acme.example'],
    ['', 'a@acme.example'],
    [undefined, 'a@acme.example'],
    ['victim@elsewhere.example', 'a@acme.example'],
    ['victim@elsewhere.example, help@acme.example', 'help@acme.example'],
    ['x@notacme.example', 'a@acme.example'],
    ['x@acme.example.evil.example', 'a@acme.example'],
  ])('resolves the Reply-To %s to %s', (replyTo, expected) => expect(answerTo(replyTo)).toBe(expected))

  it.each([
    ['news@mail.shop.co.uk', 'help@shop.co.uk', true],
    ['news@shop.co.uk', 'help@other.co.uk', false],
    ['news@co.uk', 'help@other.co.uk', false],
    ['news@one.github.io', 'help@two.github.io', false],
    ['news@mail.one.github.io', 'help@one.github.io', true],
    ['news@b\u00fccher.example', 'help@xn--bcher-kva.example', true],
    ['news@[192.0.2.1]', 'help@[192.0.2.2]', false],
  ])('accepts for From %s the Reply-To %s: %s', (from, replyTo, may) =>
    expect(answerTo(Buffer.from(replyTo).toString('latin1'), from)).toBe(may ? replyTo : from),
  )

  it('may belong to the organization that runs the relay, but never to the relay itself', () => {
    expect(answerTo('help@relay-owner.example', 'a@relay-owner.example')).toBe('help@relay-owner.example')
    for (const domain of ['relay.example', 'Relay.Example'])
      expect(answerTo(`r-x@${domain}`, 'a@mail.relay.example')).toBe('a@mail.relay.example')
    expect(answerTo('help@mail.relay.example', 'a@relay.example')).toBe('help@mail.relay.example')
  })

  it('may belong to the organization of a domain that the app has proven', () => {
    expect(answerTo('help@desk.example', 'a@acme.example', ['mail.desk.example'])).toBe('help@desk.example')
  })
})

it('sends a reply to From when the app’s Reply-To is a foreign address', async () => {
  const { send, hop, alias } = await openRelayTest()
  const message = appMessage(alias, { head: 'Reply-To: <victim@elsewhere.example>\r\n' })
  expect(await send({ message })).toMatchObject({ code: 250 })
  const reverse = reverseOf(hop.arrived[0]?.raw)
  expect(fieldOf(hop.arrived[0]?.raw, 'Reply-To')).toBe(`<${reverse}>`)
  const answer = { from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' }
  expect(await send(answer)).toMatchObject({ code: 250 })
  expect(hop.arrived[1]?.to).toEqual(['news@acme.example'])
})
