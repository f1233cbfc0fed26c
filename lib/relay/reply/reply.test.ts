import { describe, expect, it } from 'vitest'
import { appMessage, inbox, openRelayTest, personReply, rawText, reverseOf } from '#lib/testing/relay/relay'

describe('a reply', () => {
  const setUp = async () => {
    const opened = await openRelayTest()
    await opened.send()
    const reverse = reverseOf(opened.hop.arrived[0]?.raw)
    opened.hop.arrived.length = 0
    const answer = (message: string, from = inbox) =>
      opened.send({ from, to: reverse, message, helo: 'mail.example.org' })
    return { ...opened, reverse, answer }
  }

  it('is refused unless the owner of the relay address sent it', async () => {
    const { answer, reverse, hop, zone } = await setUp()
    const forged = personReply(reverse, { from: 'Eve <eve@acme.example>' })
    expect(await answer(forged, 'eve@acme.example')).toMatchObject({
      code: 550,
      text: expect.stringMatching(/^5\.7\.1 Only/),
    })
    zone['TXT example.org'] = [['v=spf1 -all']]
    expect(await answer(personReply(reverse))).toMatchObject({
      code: 550,
      text: expect.stringMatching(/^5\.7\.1 Only/),
    })
    expect(hop.arrived).toEqual([])
  })

  it('is accepted and dropped if a program wrote it', async () => {
    const { answer, reverse, hop } = await setUp()
    expect(await answer(personReply(reverse, { head: 'Auto-Submitted: auto-replied\r\n' }))).toMatchObject({
      code: 250,
    })
    expect(await answer(personReply(reverse), '')).toMatchObject({ code: 250 })
    expect(hop.arrived).toEqual([])
  })

  it('is refused with the reason if it would reveal the real address', async () => {
    const { answer, reverse, hop } = await setUp()
    const secret = personReply(reverse, {
      head: 'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\r\n',
      body: '--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b--\r\n',
    })
    expect(await answer(secret)).toEqual({
      code: 550,
      text: '5.7.1 Not sent: the message is encrypted with OpenPGP, so it cannot be checked for your address. Reply without encryption.',
    })
    expect(hop.arrived).toEqual([])
  })

  it('contains none of the person’s current and former addresses', async () => {
    const { answer, reverse, hop, prisma } = await setUp()
    const { id } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    await prisma.formerEmail.create({ data: { personId: id, address: 'ada.before@example.com', until: new Date() } })
    const body = 'Write to ada.before@example.com or Ada@Example.ORG\r\n'
    expect(await answer(personReply(reverse, { body }))).toMatchObject({ code: 250 })
    expect(rawText(hop.arrived[0]?.raw)).not.toMatch(/example\.(org|com)/i)
  })

  it('counts once when it is retried', async () => {
    const { answer, reverse, hop, prisma } = await setUp()
    const counted = async () =>
      (await prisma.attempt.findMany({ where: { key: { startsWith: 'relay-replies:' } } })).map(({ points }) => points)
    hop.refuse(450, '4.3.2 not now')
    for (let round = 0; round < 3; round++) expect(await answer(personReply(reverse))).toMatchObject({ code: 451 })
    expect(await counted()).toEqual([0])
    hop.refuse()
    expect(await answer(personReply(reverse))).toMatchObject({ code: 250 })
    expect(await counted()).toEqual([1])
  })

  it('does not count when it fails because of an internal error', async () => {
    const { answer, reverse, prisma, context } = await setUp()
    const { addressesOf } = context.relay.store
    context.relay.store.addressesOf = () => Promise.reject(new Error('the database went away'))
    expect(await answer(personReply(reverse))).toMatchObject({ code: 451 })
    context.relay.store.addressesOf = addressesOf
    const [attempt] = await prisma.attempt.findMany({ where: { key: { startsWith: 'relay-replies:' } } })
    expect(attempt?.points).toBe(0)
  })

  it('repeats the UID of an invitation and nothing else, whether or not the UID names the person', async () => {
    const { send, hop, alias } = await openRelayTest()
    const entry = (method: string, attendee: string) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:${method}\r\nBEGIN:VEVENT\r\nUID:${inbox}\r\nSUMMARY:For ${inbox}\r\nATTENDEE;PARTSTAT=ACCEPTED:mailto:${attendee}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const part = (method: string) => `Content-Type: text/calendar; method=${method}; charset=utf-8\r\n`
    const invitation = appMessage(alias, { head: part('REQUEST'), body: entry('REQUEST', alias) })
    expect(await send({ message: invitation })).toMatchObject({ code: 250 })
    const reverse = reverseOf(hop.arrived[0]?.raw)
    const accepted = personReply(reverse, { head: part('REPLY'), body: entry('REPLY', inbox) })
    const answer = { from: inbox, to: reverse, message: accepted, helo: 'mail.example.org' }
    expect(await send(answer)).toMatchObject({ code: 250 })
    const sent = rawText(hop.arrived[1]?.raw).replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(sent).toContain(`UID:${inbox}\r\n`)
    expect(sent).toContain(`ATTENDEE;PARTSTAT=ACCEPTED:mailto:${alias}\r\n`)
    expect(sent.split(inbox)).toHaveLength(2)
  })

  it('is deferred after a hundred replies in a day', async () => {
    const { answer, reverse, prisma } = await setUp()
    expect(await answer(personReply(reverse))).toMatchObject({ code: 250 })
    await prisma.attempt.updateMany({ where: { key: { startsWith: 'relay-replies:' } }, data: { points: 100 } })
    const another = personReply(reverse).replace('CAF1', 'CAF2')
    expect(await answer(another)).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.7\.1/) })
  })
})
