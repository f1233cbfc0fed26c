import { describe, expect, test } from 'vitest'
import { kinds } from '#lib/testing/databases'
import { appMessage, fieldOf, inbox, openRelayTest, personReply, rawText, reverseOf } from '#lib/testing/relay'

describe.each(kinds)('a message and its answer, on %s', (kind) => {
  test('an app reaches the inbox through a relay address, the answer reaches the app, and neither shows the other', async () => {
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

  test('a thread holds on both sides: each knows its own Message-IDs, and only those', async () => {
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
})
