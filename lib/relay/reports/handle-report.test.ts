import { describe, expect, it, onTestFinished } from 'vitest'
import { appMessage, inbox, openRelayTest, personReply, reverseOf } from '#lib/testing/relay/relay'
import { openScriptedHop } from '#lib/testing/relay/scripted-hop'

describe('the handling of a delivery report', () => {
  const report = (to: string, status: string, unique = '') =>
    `From: <mailer-daemon@example.org>\r\nTo: <${to}>\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n\r\nSorry ${unique}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example.org\r\n\r\nFinal-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: ${status}\r\n\r\n--b--\r\n`

  const setUp = async () => {
    const opened = await openRelayTest()
    await opened.send()
    const sender = opened.hop.arrived[0]?.from as string
    opened.hop.arrived.length = 0
    const bounce = (status: string, unique = '', to = sender) =>
      opened.send({ from: '', to, message: report(to, status, unique) })
    return { ...opened, sender, bounce }
  }

  it('pauses forwarding after three reports of a missing inbox in a day and informs the person', async () => {
    const { bounce, send, prisma, hop } = await setUp()
    for (const unique of ['one', 'two', 'two', 'two'])
      expect(await bounce('5.1.1', unique)).toMatchObject({ code: 250 })
    expect(await send({ message: appMessage('x').replace('order-7', 'order-8') })).toMatchObject({ code: 250 })
    expect(await bounce('5.2.1', 'three')).toMatchObject({ code: 250 })
    expect(await send()).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.2\.1/) })
    const noted = await prisma.activity.findMany({ where: { kind: 'mail_paused' } })
    expect(noted).toHaveLength(1)
    expect(hop.arrived).toHaveLength(1)
  })

  it.each(['5.7.1', '4.2.2', '5.2.2'])('never pauses forwarding for status %s', async (status) => {
    const { bounce, prisma } = await setUp()
    for (const unique of ['1', '2', '3', '4']) await bounce(status, unique)
    expect(await prisma.person.findFirst({ where: { username: 'ada' } })).toMatchObject({ mailPausedAt: null })
  })

  it('does not count a report about a former address for the current one', async () => {
    const { bounce, prisma, clock } = await setUp()
    const { id } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    await prisma.formerEmail.create({ data: { personId: id, address: 'ada@old.example', until: clock.now } })
    for (const unique of ['one', 'two', 'three']) expect(await bounce('5.1.1', unique)).toMatchObject({ code: 250 })
    expect(await prisma.person.findUnique({ where: { id } })).toMatchObject({ mailPausedAt: null })
  })

  it('accepts a report beyond the hourly limit without parsing it', async () => {
    const { bounce, prisma } = await setUp()
    expect(await bounce('5.1.1', 'one')).toMatchObject({ code: 250 })
    await prisma.attempt.updateMany({ where: { key: { startsWith: 'relay-reports:' } }, data: { points: 100 } })
    expect(await bounce('5.1.1', 'two')).toMatchObject({ code: 250 })
    expect(await prisma.returnedMail.count()).toBe(1)
  })

  it('records a report about a reply in the account and does not forward it', async () => {
    const { send, hop, prisma, bounce } = await setUp()
    await send({ message: appMessage('x').replace('order-7', 'order-9') })
    const reverse = reverseOf(hop.arrived[0]?.raw)
    await send({ from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' })
    const sender = hop.arrived[1]?.from as string
    expect(await bounce('5.1.1', '', sender)).toMatchObject({ code: 250 })
    expect(await prisma.activity.findMany({ where: { kind: 'reply_undelivered' } })).toMatchObject([
      { detail: '{"app":"Acme Web"}' },
    ])
    expect(hop.arrived).toHaveLength(2)
  })

  it('rejects mail in another format, also from the null sender', async () => {
    const { send, sender, prisma } = await setUp()
    const refused = { code: 550, text: '5.7.1 This address accepts delivery reports only' }
    const note = appMessage(sender, { body: 'I am away until Monday.\r\n' })
    const receipt = appMessage(sender, {
      head: 'Content-Type: multipart/report; report-type=disposition-notification; boundary=b\r\n',
    })
    expect(await send({ from: '', to: sender, message: note })).toEqual(refused)
    expect(await send({ from: '', to: sender, message: receipt })).toEqual(refused)
    expect(await send({ from: 'x@acme.example', to: sender, message: receipt })).toEqual(refused)
    const inWords = appMessage(sender, { body: 'Remote host said: 550 5.1.1 no such user\r\n' })
    expect(await send({ from: '', to: sender, message: inWords })).toMatchObject({ code: 250 })
    expect(await prisma.returnedMail.count()).toBe(1)
  })

  it('rejects a report to an expired bounce address as unknown', async () => {
    const { bounce, later } = await setUp()
    later(16 * 86_400)
    expect(await bounce('5.1.1')).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.1\.1/) })
  })
})

describe('the handling of a rejection by the next hop', () => {
  const refusedWith = async (text: string) => {
    const opened = await openRelayTest()
    const { send, hop, alias } = opened
    hop.refuse(550, text)
    const codes: number[] = []
    for (const body of ['one', 'two', 'two', 'three', 'four'])
      codes.push((await send({ message: appMessage(alias, { body: `${body}\r\n` }) })).code)
    return { ...opened, codes }
  }

  it('counts a missing inbox like a report and pauses forwarding after three messages', async () => {
    const { codes, prisma } = await refusedWith('5.1.1 ada@example.org: no such user')
    expect(codes).toEqual([550, 550, 550, 550, 450])
    expect(await prisma.activity.findMany({ where: { kind: 'mail_paused' } })).toHaveLength(1)
  })

  it('does not count a rejection of the relay’s sender address for the inbox', async () => {
    const hop = await openScriptedHop({ MAIL: '550 5.1.0 Sender rejected' })
    onTestFinished(() => hop.close())
    const opened = await openRelayTest({ env: { SMTP_URL: hop.url } })
    for (const body of ['one', 'two', 'three', 'four'])
      expect(await opened.send({ message: appMessage(opened.alias, { body: `${body}\r\n` }) })).toMatchObject({
        code: 550,
      })
    expect(await opened.prisma.returnedMail.count()).toBe(0)
  })

  it.each(['5.7.1 not wanted', '5.1.8 your domain is not there', 'no'])(
    'does not pause forwarding after: %s',
    async (text) => {
      const { codes, prisma } = await refusedWith(text)
      expect(codes).toEqual([550, 550, 550, 550, 550])
      expect(await prisma.returnedMail.count()).toBe(0)
    },
  )
})
