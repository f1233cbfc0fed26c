import { describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { appMessage, fieldOf, inbox, openRelayTest, personReply, rawText, reverseOf } from '#lib/testing/relay/relay'

describe.each(kinds)('a message and its reply, on %s', (kind) => {
  it('forwards an app’s message and the person’s reply, and hides each address from the other side', async () => {
    const { send, hop, alias, prisma } = await openRelayTest({ kind })
    expect(await send()).toMatchObject({ code: 250 })
    const [first] = hop.arrived
    expect(first?.to).toEqual([inbox])
    expect(first?.from).toMatch(/^b-[a-z2-9]{42}@relay\.example\.net$/)
    const reverse = reverseOf(first?.raw)
    expect(fieldOf(first?.raw, 'Reply-To')).toBe(`<${reverse}>`)
    expect(fieldOf(first?.raw, 'To')).toBe(`<${alias}>`)
    expect(fieldOf(first?.raw, 'Message-ID')).toBe('<order-7@acme.example>')
    expect(rawText(first?.raw).match(/^DKIM-Signature:/gm)).toHaveLength(2)
    const back = await send({ from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' })
    expect(back).toMatchObject({ code: 250 })
    const second = hop.arrived[1]
    expect(second?.to).toEqual(['news@acme.example'])
    expect(fieldOf(second?.raw, 'From')).toBe(`"Ada L." <${alias}>`)
    expect(fieldOf(second?.raw, 'In-Reply-To')).toBe('<order-7@acme.example>')
    expect(rawText(second?.raw)).not.toMatch(/example\.org|Lovelace|Mail of Ada|192\.0\.2\.77/i)
    expect(await prisma.alias.findFirst()).toMatchObject({ forwarded: 1, replied: 1, blocked: 0 })
  })

  it('maps a thread’s Message-IDs for each side, and only known ones', async () => {
    const { send, hop, alias } = await openRelayTest({ kind })
    await send()
    const reverse = reverseOf(hop.arrived[0]?.raw)
    await send({ from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' })
    const ours = fieldOf(hop.arrived[1]?.raw, 'Message-ID') as string
    const head = `In-Reply-To: ${ours}\r\nReferences: <order-7@acme.example> ${ours}\r\n`
    const again = appMessage(alias, { head, body: 'You are welcome.\r\n' }).replace('order-7@', 'order-8@')
    expect(await send({ message: again })).toMatchObject({ code: 250 })
    expect(fieldOf(hop.arrived[2]?.raw, 'In-Reply-To')).toBe('<CAF1@mail.example.org>')
    expect(fieldOf(hop.arrived[2]?.raw, 'References')).toBe('<order-7@acme.example> <CAF1@mail.example.org>')
    const more = personReply(reverse, { body: 'Bye.\r\n' })
      .replace('<CAF1@', '<CAF2@')
      .replace('References: ', 'References: <CAF1@mail.example.org> ')
    await send({ from: inbox, to: reverse, message: more, helo: 'mail.example.org' })
    expect(fieldOf(hop.arrived[3]?.raw, 'References')).toBe(`${ours} <order-7@acme.example>`)
  })

  it('reveals nothing to the app in a reply to all and its follow-up, when a copy comes back to the alias', async () => {
    const { send, hop, alias, prisma } = await openRelayTest({ kind })
    await send()
    const reverse = reverseOf(hop.arrived[0]?.raw)
    const head = `Cc: <${alias}>\r\n`
    const first = personReply(reverse, { head })
    expect(await send({ from: inbox, to: reverse, message: first, helo: 'mail.example.org' })).toMatchObject({
      code: 250,
    })
    expect(await send({ from: inbox, to: alias, message: first, helo: 'mail.example.org' })).toMatchObject({
      code: 250,
    })
    expect(await prisma.reverseAddress.findMany({ where: { target: inbox } })).toEqual([])
    const next = personReply(reverse, { body: 'And one thing more.\r\n' })
      .replace('<CAF1@', '<CAF2@')
      .replace('In-Reply-To: <order-7@acme.example>', 'In-Reply-To: <CAF1@mail.example.org>')
      .replace('References: ', 'References: <CAF1@mail.example.org> ')
    await send({ from: inbox, to: reverse, message: next, helo: 'mail.example.org' })
    const toApp = hop.arrived.filter(({ to }) => to.includes('news@acme.example'))
    expect(toApp).toHaveLength(2)
    for (const { raw } of toApp) expect(rawText(raw)).not.toMatch(/example\.org/i)
    expect(fieldOf(toApp[1]?.raw, 'In-Reply-To')).toBe(fieldOf(toApp[0]?.raw, 'Message-ID'))
  })

  it('does not require SMTPUTF8 of the next hop for raw 8-bit bytes in a header of a sender without SMTPUTF8', async () => {
    const { send, hop, alias } = await openRelayTest({ kind })
    const message = appMessage(alias, { head: 'X-Campaign: Gr\u00fc\u00dfe\r\n' })
    expect(await send({ message })).toMatchObject({ code: 250 })
    expect(hop.arrived[0]?.saysUtf8).toBe(false)
  })

  it('gives the next hop the rest of the eight minutes since the message arrived', async () => {
    const { send, hop, alias, context, later } = await openRelayTest({ kind })
    const { nextHop, verifiedDomains } = context.relay
    const [given, runTransaction]: [(number | undefined)[], typeof nextHop.send] = [[], nextHop.send.bind(nextHop)]
    nextHop.send = (message, within) => {
      given.push(within)
      return runTransaction(message, within)
    }
    expect(await send()).toMatchObject({ code: 250 })
    // The DNS and database queries of this message take 100 seconds.
    context.relay.verifiedDomains = async (appId) => {
      later(100)
      return verifiedDomains(appId)
    }
    const another = appMessage(alias).replace('order-7@', 'order-8@')
    expect(await send({ message: another })).toMatchObject({ code: 250 })
    expect([given, hop.arrived.length]).toEqual([[480_000, 380_000], 2])
  })
})
