import { describe, expect, it } from 'vitest'
import { decodeWords } from '#lib/relay/mime/header-fields'
import { kinds } from '#lib/testing/databases/databases'
import { appMessage, fieldOf, inbox, openRelayTest, personReply, rawText, reverseOf } from '#lib/testing/relay/relay'
import { messagesFor } from '#lib/text/messages'

const unauthenticated = { code: 550, text: expect.stringMatching(/^5\.7\.26 /) }

/** Opens a relay and makes an address by hand for ada. */
async function openByHand(kind: 'sqlite' | 'postgresql') {
  const opened = await openRelayTest({ kind })
  const { prisma, context } = opened
  const { id } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
  const made = await context.byHand.make(id, { key: 'one', label: 'Garden shop' }, 50, context.now())
  const name = typeof made === 'object' ? made.name : ''
  const alias = `${name}@relay.example.net`
  const send = (given: Parameters<typeof opened.send>[0] = {}) =>
    opened.send({ to: alias, message: appMessage(alias), ...given })
  const counts = () => prisma.alias.findUniqueOrThrow({ where: { address: name } })
  return { ...opened, name, alias, send, counts, person: id }
}

describe.each(kinds)('an address made by hand, on %s', (kind) => {
  it('forwards the mail of any sender that passes DMARC, and hides both addresses in the reply', async () => {
    const { send, hop, alias, counts } = await openByHand(kind)
    expect(await send()).toMatchObject({ code: 250 })
    const [first] = hop.arrived
    expect(first?.to).toEqual([inbox])
    expect(fieldOf(first?.raw, 'To')).toBe(`<${alias}>`)
    const reverse = reverseOf(first?.raw)
    const back = { from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' }
    expect(await send(back)).toMatchObject({ code: 250 })
    const second = hop.arrived[1]
    expect(second?.to).toEqual(['news@acme.example'])
    // Nothing is shared with the sender, so the reply has no name either.
    expect(fieldOf(second?.raw, 'From')).toBe(`<${alias}>`)
    // The letters of a signature, of its selector and of an alias are random, so they can contain a short name.
    const written = rawText(second?.raw).replace(/^DKIM-Signature:.*(?:\r\n[ \t].*)*\r\n/gm, '')
    expect(written).not.toMatch(/example\.org|\bAda\b|Lovelace|Garden|192\.0\.2\.77/i)
    expect(written).toContain('Subject: Re: Order 7')
    expect(await counts()).toMatchObject({ forwarded: 1, replied: 1, blocked: 0 })
  })

  it('refuses a sender whose domain fails DMARC, whatever its policy, and one that nothing authenticates', async () => {
    const { send, zone, hop, counts, context } = await openByHand(kind)
    zone['TXT acme.example'] = ['v=spf1 -all']
    expect(await send()).toMatchObject(unauthenticated)
    zone['TXT _dmarc.acme.example'] = ['v=DMARC1; p=none']
    expect(await send()).toMatchObject(unauthenticated)
    delete zone['TXT _dmarc.acme.example']
    expect(await send()).toMatchObject(unauthenticated)
    zone['TXT acme.example'] = ['v=spf1 ip4:127.0.0.1 -all']
    expect(await send()).toMatchObject({ code: 250 })
    expect(hop.arrived).toHaveLength(1)
    expect(await counts()).toMatchObject({ forwarded: 1, blocked: 3 })
    expect(await context.database.prisma.failure.count()).toBe(0)
  })

  it('refuses mail that only another domain authenticates', async () => {
    const { send, zone, alias } = await openByHand(kind)
    zone['TXT esp.example'] = ['v=spf1 ip4:127.0.0.1 -all']
    zone['TXT _dmarc.acme.example'] = ['v=DMARC1; p=none']
    const about = { from: 'bounce@esp.example', message: appMessage(alias) }
    expect(await send(about)).toMatchObject(unauthenticated)
  })

  it('sends replies to the author only, never to an address that the author names', async () => {
    const { send, hop, alias, prisma } = await openByHand(kind)
    const head = 'Reply-To: <victim@acme.example>\r\nCc: <other@acme.example>\r\n'
    expect(await send({ message: appMessage(alias, { head }) })).toMatchObject({ code: 250 })
    expect(await prisma.reverseAddress.findMany({ select: { target: true } })).toEqual([
      { target: 'news@acme.example' },
    ])
    expect(rawText(hop.arrived[0]?.raw)).not.toMatch(/victim|other@/)
  })

  it('takes no mail to an address that never wrote, and starts no thread from a refused message', async () => {
    const { send, zone, hop, prisma } = await openByHand(kind)
    zone['TXT acme.example'] = ['v=spf1 -all']
    await send()
    expect(await prisma.reverseAddress.count()).toBe(0)
    const never = 'r-abcdefgh23456789jkmn@relay.example.net'
    const start = { from: inbox, to: never, message: personReply(never), helo: 'mail.example.org' }
    expect(await send(start)).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.1\.1 /) })
    expect(await send({ ...start, to: 'stranger@shop.example' })).toMatchObject({ code: 550 })
    expect(hop.arrived).toEqual([])
  })

  it('answers like an unknown address once it is deleted, also to a reply and a delivery report', async () => {
    const { send, hop, name, person, context } = await openByHand(kind)
    const unknown = await send({ to: 'zzzzzzzzzzzz@relay.example.net' })
    await send()
    const [first] = hop.arrived
    const reverse = reverseOf(first?.raw)
    await context.byHand.remove(person, name, context.now())
    expect(await send()).toEqual(unknown)
    expect(await send({ from: inbox, to: reverse, message: personReply(reverse) })).toEqual(unknown)
    expect(await send({ from: '', to: first?.from ?? '' })).toEqual(unknown)
    expect(hop.arrived).toHaveLength(1)
  })

  it('blocks mail while it is switched off', async () => {
    const { send, name, person, context, counts } = await openByHand(kind)
    await context.hideMyEmail.switchOff(person, name, context.now())
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1 /) })
    expect(await counts()).toMatchObject({ forwarded: 0, blocked: 1 })
  })

  it('takes at most a thousand messages an hour for all addresses of a person', async () => {
    const { send, context, prisma, person } = await openByHand(kind)
    await send()
    const key = { where: { key: { contains: `relay-by-hand:${person}` } } }
    expect(await prisma.attempt.updateMany({ ...key, data: { points: 1000 } })).toEqual({ count: 1 })
    expect(await send({ message: appMessage('x').replace('order-7', 'order-8') })).toMatchObject({ code: 450 })
    expect(await context.hideMyEmail.listAliases(person)).toHaveLength(2)
  })

  it('takes a test message of its owner', async () => {
    const { context, hop, name } = await openByHand(kind)
    expect(await context.sendTestMail(name)).toBe('sent')
    expect(decodeWords(fieldOf(hop.arrived[0]?.raw, 'Subject') ?? '')).toContain('Garden shop')
  })

  it('writes the test message in the language that its owner chose in the footer', async () => {
    const { context, hop, name, prisma, person } = await openByHand(kind)
    await prisma.person.update({ where: { id: person }, data: { locale: 'en', pageLanguage: 'ja' } })
    await context.sendTestMail(name)
    const subject = messagesFor('ja').hideMyEmail.testMail.subject.replace('{app}', 'Garden shop')
    expect(decodeWords(fieldOf(hop.arrived[0]?.raw, 'Subject') ?? '')).toBe(subject.replace('{service}', 'Postern'))
  })

  it('notes a reply that came back under its label', async () => {
    const { context, person, prisma } = await openByHand(kind)
    await context.relay.events.replyReturned(person, { label: 'Garden shop' })
    const [noted] = await prisma.activity.findMany({ where: { kind: 'reply_undelivered' } })
    expect(JSON.parse(noted?.detail ?? '')).toEqual({ label: 'Garden shop' })
  })
})
