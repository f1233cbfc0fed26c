import { describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { appMessage, fieldOf, inbox, openRelayTest, personReply, rawText, reverseOf } from '#lib/testing/relay/relay'
import { recordLimits } from './sent.ts'

const words =
  'We have packed everything you asked for, and the parcel leaves our house this evening. You can follow it on our page. If something is missing, answer this message, and somebody who knows your order will look into it.'
const body = `Hello,\r\n\r\n${words}\r\n\r\nBut are you ${inbox}, or bob@example.com?\r\n\r\n${words}\r\n`
const quoted = `Yes, ${inbox}\r\n\r\nNews wrote:\r\n${body.replace(/^(?=[^\n]|\r\n)/gm, '> ')}\r\n`

describe.each(kinds)('a reply that quotes what the app sent, on %s', (kind) => {
  const setUp = async (message: (alias: string) => string = (alias) => appMessage(alias, { body })) => {
    const opened = await openRelayTest({ kind })
    expect(await opened.send({ message: message(opened.alias) })).toMatchObject({ code: 250 })
    const [forwarded] = opened.hop.arrived
    const reverse = reverseOf(forwarded?.raw)
    const answer = (change: (reply: string) => string = (reply) => reply) =>
      opened.send({
        from: inbox,
        to: reverse,
        message: change(personReply(reverse, { body: quoted })),
        helo: 'mail.example.org',
      })
    const lastWords = () => rawText(opened.hop.arrived.at(-1)?.raw).replace(/=\r\n/g, '')
    return { ...opened, reverse, forwarded, answer, lastWords }
  }

  it('restores the address that the app mentioned, and hides it where the person wrote it', async () => {
    const { answer, lastWords, alias } = await setUp()
    expect(await answer()).toMatchObject({ code: 250 })
    expect(lastWords()).toContain(`> But are you ${inbox}, or bob@example.com?`)
    expect(lastWords()).toContain(`Yes, ${alias}`)
  })

  it('gives the same result for eight concurrent copies', async () => {
    const { answer, hop } = await setUp()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => answer((reply) => reply.replace('CAF1', `CAF1${at}`))),
    )
    expect(all.map(({ code }) => code)).toEqual(Array(8).fill(250))
    for (const { raw } of hop.arrived.slice(1)) expect(rawText(raw).replace(/=\r\n/g, '').split(inbox)).toHaveLength(2)
  })

  it('is rejected when the record of the message has expired, whatever the message mentioned', async () => {
    const { answer, later } = await setUp()
    later(181 * 86_400)
    const refused = { code: 550, text: expect.stringMatching(/^5\.7\.1 Not sent: the message you are replying to/) }
    expect(await answer()).toMatchObject(refused)
    expect(
      await answer((reply) => reply.replaceAll(inbox, 'bob@example.com').replace(/From: .*/, `From: ${inbox}`)),
    ).toMatchObject(refused)
  })

  it('is rejected when the message was never recorded', async () => {
    const { answer, prisma } = await setUp()
    await prisma.sentMessage.deleteMany()
    expect(await answer()).toMatchObject({ code: 550 })
  })

  it('is rejected when the message could not be read', async () => {
    const { answer } = await setUp((alias) => appMessage(alias, { body, head: 'Content-Transfer-Encoding: x-own\r\n' }))
    expect(await answer()).toMatchObject({
      code: 550,
      text: expect.stringContaining('is too old or could not be read'),
    })
  })

  it('is rejected beyond the daily limit of recorded large messages, and accepted on the next day', async () => {
    const { answer, send, alias, later, prisma } = await setUp()
    const key = `relay-prints:large:${alias.split('@')[0]}`
    const expire = new Date(Date.now() + 400 * 86_400_000)
    await prisma.attempt.create({ data: { key, points: recordLimits.large, expire } })
    const long = (id: string) =>
      appMessage(alias, { body: `${body}${'Other words follow. '.repeat(6000)}\r\n` }).replace('order-7@', id)
    const about = (id: string) => (reply: string) => reply.replaceAll('order-7@', id)
    expect(await send({ message: long('order-8@') })).toMatchObject({ code: 250 })
    expect(await answer(about('order-8@'))).toMatchObject({ code: 550 })
    await prisma.attempt.delete({ where: { key } })
    later(86_400)
    expect(await send({ message: long('order-9@') })).toMatchObject({ code: 250 })
    expect(await answer(about('order-9@'))).toMatchObject({ code: 250 })
  })

  it('is rejected beyond the daily limit of recorded messages, and accepted on the next day', async () => {
    const { answer, send, alias, later, prisma } = await setUp()
    const key = `relay-prints:all:${alias.split('@')[0]}`
    await prisma.attempt.update({ where: { key }, data: { points: recordLimits.messages - 1 } })
    const about = (id: string) => (reply: string) => reply.replaceAll('order-7@', id).replace('CAF1', id.slice(0, -1))
    const next = (id: string) => send({ message: appMessage(alias, { body }).replace('order-7@', id) })
    expect(await next('order-300@')).toMatchObject({ code: 250 })
    expect(await next('order-301@')).toMatchObject({ code: 250 })
    expect(await answer(about('order-300@'))).toMatchObject({ code: 250 })
    expect(await answer(about('order-301@'))).toMatchObject({ code: 550 })
    later(86_401)
    expect(await next('order-302@')).toMatchObject({ code: 250 })
    expect(await answer(about('order-302@'))).toMatchObject({ code: 250 })
  })

  it('is recognized after a key rotation', async () => {
    const { answer, context, lastWords } = await setUp()
    const { keys } = context.relay
    const another = Buffer.alloc(32, 9)
    context.relay.keys = { ...keys, mark: [another, ...keys.mark], print: [another, ...keys.print] }
    expect(await answer()).toMatchObject({ code: 250 })
    expect(lastWords()).toContain(`> But are you ${inbox}`)
  })

  it('is compared with the latest message when it refers to none', async () => {
    const { answer, lastWords, alias } = await setUp()
    const lone = (reply: string) => reply.replace(/^(In-Reply-To|References): .*\r\n/gm, '')
    expect(await answer(lone)).toMatchObject({ code: 250 })
    expect(lastWords()).toContain(`> But are you ${inbox}`)
    expect(lastWords()).toContain(`Yes, ${alias}`)
  })

  it('is matched by the generated Message-ID when the app’s message had none', async () => {
    const { answer, forwarded, lastWords } = await setUp((alias) =>
      appMessage(alias, { body }).replace(/^Message-ID: .*\r\n/m, ''),
    )
    const id = fieldOf(forwarded?.raw, 'Message-ID') as string
    expect(id).toMatch(/^<m\.[0-9a-f]{32}@relay\.example\.net>$/)
    expect(await answer((reply) => reply.replaceAll('<order-7@acme.example>', id))).toMatchObject({ code: 250 })
    expect(lastWords()).toContain(`> But are you ${inbox}`)
  })

  it('is matched to the quoted one of two messages with the same Message-ID', async () => {
    const { send, hop, alias, answer, lastWords } = await setUp((to) => appMessage(to, { body: 'Something else.\r\n' }))
    expect(await send({ message: appMessage(alias, { body }) })).toMatchObject({ code: 250 })
    const [first, second] = hop.arrived.map(({ raw }) => fieldOf(raw, 'Message-ID') as string)
    expect(first).toBe('<order-7@acme.example>')
    expect(second).not.toBe(first)
    expect(await answer((reply) => reply.replaceAll('<order-7@acme.example>', second as string))).toMatchObject({
      code: 250,
    })
    expect(lastWords()).toContain(`> But are you ${inbox}`)
  })

  it('is not matched to a message that arrived after the answered one', async () => {
    const { send, alias, answer, lastWords } = await setUp((to) => appMessage(to, { body: 'Something else.\r\n' }))
    const later = appMessage(alias, { body }).replace('order-7@', 'order-8@')
    expect(await send({ message: later })).toMatchObject({ code: 250 })
    expect(await answer()).toMatchObject({ code: 250 })
    expect(lastWords()).not.toContain(inbox)
  })
})
