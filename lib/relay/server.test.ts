import { describe, expect, test } from 'vitest'
import { kinds } from '#lib/testing/databases'
import { appMessage, inbox, openRelayTest, personReply } from '#lib/testing/relay'
import { speakSmtp } from '#lib/testing/speak-smtp'

const text = (raw: Buffer | undefined) => raw?.toString('latin1') ?? ''
const fieldOf = (raw: Buffer | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(text(raw))?.[1]?.replace(/\r\n[ \t]+/g, ' ')

describe.each(kinds)('a message and its answer, on %s', (kind) => {
  test('an app reaches the inbox through a relay address, the answer reaches the app, and neither shows the other', async () => {
    const { send, hop, alias, prisma } = await openRelayTest({ kind })
    expect(await send()).toMatchObject({ code: 250 })
    const [first] = hop.arrived
    expect(first?.to).toEqual([inbox])
    expect(first?.from).toMatch(/^b-[a-z2-9]{42}@relay\.example\.net$/)
    const reverse = /<(r-[a-z2-9]{20}@relay\.example\.net)>/.exec(fieldOf(first?.raw, 'From') ?? '')?.[1] as string
    expect(fieldOf(first?.raw, 'Reply-To')).toBe(`<${reverse}>`)
    expect(fieldOf(first?.raw, 'To')).toBe(`<${alias}>`)
    expect(fieldOf(first?.raw, 'Message-ID')).toBe('<order-7@acme.example>')
    expect(text(first?.raw).match(/^DKIM-Signature:/gm)).toHaveLength(2)
    const back = await send({ from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' })
    expect(back).toMatchObject({ code: 250 })
    const second = hop.arrived[1]
    expect(second?.to).toEqual(['news@acme.example'])
    expect(fieldOf(second?.raw, 'From')).toBe(`"Ada L." <${alias}>`)
    expect(fieldOf(second?.raw, 'In-Reply-To')).toBe('<order-7@acme.example>')
    expect(text(second?.raw)).not.toMatch(/example\.org|Lovelace|Mail of Ada|192\.0\.2\.77/i)
    expect(await prisma.alias.findFirst()).toMatchObject({ forwarded: 1, replied: 1, blocked: 0 })
  })

  test('a thread holds on both sides: each knows its own Message-IDs, and only those', async () => {
    const { send, hop, alias } = await openRelayTest({ kind })
    await send()
    const reverse = /<(r-[^>]+)>/.exec(fieldOf(hop.arrived[0]?.raw, 'From') ?? '')?.[1] as string
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

describe('what the relay answers', () => {
  test.each([
    ['somebody@elsewhere.example', 550, '5.7.1'],
    ['k7mabcdefghj@relay.example.net', 550, '5.1.1'],
    ['r-abcdefgh23456789abcd@relay.example.net', 550, '5.1.1'],
    [`b-${'a'.repeat(42)}@relay.example.net`, 550, '5.1.1'],
    ['noreply@relay.example.net', 550, '5.1.1'],
  ])('a message for %s: %i %s', async (to, code, status) => {
    const { send, hop } = await openRelayTest()
    const said = await send({ to })
    expect([said.code, said.text.split(' ')[0]]).toEqual([code, status])
    expect(hop.arrived).toEqual([])
  })

  test('a relay address in another case is the same one; with a tag or a dot it is none', async () => {
    const { send, alias } = await openRelayTest()
    const [name = '', domain = ''] = alias.split('@')
    expect(await send({ to: `${name.toUpperCase()}@RELAY.example.NET` })).toMatchObject({ code: 250 })
    expect(await send({ to: `${name}+tag@${domain}` })).toMatchObject({ code: 550 })
    expect(await send({ to: `${name.slice(0, 6)}.${name.slice(6)}@${domain}` })).toMatchObject({ code: 550 })
  })

  test('an address switched off, or of an app that may write no more, is closed; the next mail is counted as refused', async () => {
    const { send, prisma, alias } = await openRelayTest()
    const name = alias.split('@')[0] as string
    await prisma.alias.updateMany({ data: { disabledAt: new Date() } })
    expect(await send()).toEqual({ code: 550, text: '5.2.1 This address takes no mail' })
    await prisma.alias.updateMany({ data: { disabledAt: null } })
    expect(await send()).toMatchObject({ code: 250 })
    await prisma.consent.deleteMany()
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1/) })
    await expect.poll(() => prisma.alias.findUnique({ where: { address: name } })).toMatchObject({ blocked: 2 })
  })

  test('while no address is bound the sender is told to come again', async () => {
    const { send, prisma } = await openRelayTest()
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { email: null } })
    expect(await send()).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.2\.1/) })
  })

  test('a second recipient waits for a transaction of its own', async () => {
    const { server, alias, hide, hop } = await openRelayTest()
    const other = await hide('other-web')
    const smtp = await speakSmtp(server.port)
    for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${alias}>`])
      await smtp.say(line)
    expect(await smtp.say(`RCPT TO:<${other}>`)).toMatchObject({ code: 452, text: expect.stringMatching(/^4\.5\.3/) })
    await smtp.say('DATA')
    expect(await smtp.say(`${appMessage(alias)}.`)).toMatchObject({ code: 250 })
    smtp.close()
    expect(hop.arrived).toHaveLength(1)
  })

  test.each<[string, number, string, (message: string) => string | Buffer]>([
    ['no From', 550, '5.6.0', (message) => message.replace(/^From: .*\r\n/, '')],
    ['several From', 550, '5.6.0', (message) => `From: <x@acme.example>\r\n${message}`],
    ['a bare LF', 550, '5.6.0', (message) => message.replace('on its', 'on\nits')],
    ['a bare CR', 550, '5.6.0', (message) => message.replace('on its', 'on\rits')],
    ['NUL', 550, '5.6.0', (message) => message.replace('on its', 'on\0its')],
    ['headers without end', 550, '5.6.0', (message) => `${'X-More: of the same\r\n'.repeat(15_000)}${message}`],
    ['too many Received', 554, '5.4.6', (message) => `${'Received: from x by y; z\r\n'.repeat(51)}${message}`],
    [
      'more than 25 MiB',
      552,
      '5.3.4',
      (message) => Buffer.from(`${message}${`${'x'.repeat(998)}\r\n`.repeat(26_300)}`),
    ],
  ])('a message with %s is refused with %i %s', async (_, code, status, change) => {
    const { send, alias, hop } = await openRelayTest()
    const said = await send({ message: change(appMessage(alias)) })
    expect([said.code, said.text.split(' ')[0]]).toEqual([code, status])
    expect(hop.arrived).toEqual([])
  })

  test('a sender that nothing vouches for is refused, and the app’s developers are told why', async () => {
    const { send, zone, prisma, hop, failures } = await openRelayTest()
    zone['TXT acme.example'] = [['v=spf1 ip4:192.0.2.1 -all']]
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.7\.26/) })
    expect(hop.arrived).toEqual([])
    expect(await prisma.alias.findFirst()).toMatchObject({ blocked: 1, forwarded: 0 })
    await expect
      .poll(() => failures('acme-web'))
      .toMatchObject([{ endpoint: 'relay', code: '5.7.26', reason: 'dmarc_failed' }])
  })

  test('an app with a proven domain has its mail from that one alone', async () => {
    const { send, zone, prisma } = await openRelayTest()
    const domain = {
      appId: 'acme-web',
      domain: 'mail.acme.example',
      proof: 'x',
      createdAt: new Date(),
      verifiedAt: new Date(),
    }
    await prisma.mailDomain.create({ data: domain })
    expect(await send()).toEqual({ code: 550, text: '5.7.1 The sender is not of a domain registered for this address' })
    zone['TXT mail.acme.example'] = [['v=spf1 ip4:127.0.0.1 -all']]
    expect(await send({ from: 'bounce@mail.acme.example' })).toMatchObject({ code: 250 })
  })

  test('while DNS is in trouble, or our own database, the sender keeps the message', async () => {
    const { send, zone, context, hop } = await openRelayTest()
    zone['TXT acme.example'] = 'trouble'
    expect(await send()).toMatchObject({ code: 451, text: expect.stringMatching(/^4\.3\.0/) })
    zone['TXT acme.example'] = [['v=spf1 ip4:127.0.0.1 -all']]
    const { keepReverse } = context.relay.store
    context.relay.store.keepReverse = () => Promise.reject(new Error('the disk is full, ada@example.org'))
    expect(await send()).toEqual({ code: 451, text: '4.3.0 Not possible at the moment, try again later' })
    context.relay.store.keepReverse = keepReverse
    expect(hop.arrived).toEqual([])
    expect(await send()).toMatchObject({ code: 250 })
  })

  test('what the next mail server says is never passed on', async () => {
    const { send, hop, prisma } = await openRelayTest()
    hop.refuse(450, '4.2.2 ada@example.org is full')
    expect(await send()).toEqual({ code: 451, text: '4.3.0 Not possible at the moment, try again later' })
    hop.refuse(554, '5.7.1 spam for ada@example.org')
    expect(await send()).toEqual({ code: 550, text: '5.7.0 The message was refused further on' })
    hop.refuse()
    expect(await send()).toMatchObject({ code: 250 })
    expect(await prisma.alias.findFirst()).toMatchObject({ forwarded: 1 })
  })

  test('a message that was taken is taken again without being sent twice, for a day', async () => {
    const { send, hop, later } = await openRelayTest()
    for (let time = 0; time < 3; time++) expect(await send()).toMatchObject({ code: 250 })
    expect(hop.arrived).toHaveLength(1)
    later(86_401)
    expect(await send()).toMatchObject({ code: 250 })
    expect(hop.arrived).toHaveLength(2)
  })

  test('a message that bears our own mark for the address goes no further round', async () => {
    const { send, hop, alias } = await openRelayTest()
    await send()
    const mark = fieldOf(hop.arrived[0]?.raw, 'X-Relay-Loop')
    const round = appMessage(alias, { head: `X-Relay-Loop: ${mark}\r\n`, body: 'Out of office\r\n' })
    expect(await send({ message: round })).toMatchObject({ code: 554, text: expect.stringMatching(/^5\.4\.6/) })
  })

  test('mail to postmaster and abuse reaches the operator as it is, with or without a domain', async () => {
    const { send, hop } = await openRelayTest()
    const message = appMessage('postmaster@relay.example.net')
    for (const to of ['postmaster', 'PostMaster@relay.example.net', 'abuse@relay.example.net']) {
      expect(await send({ to, message: message.replace('order-7', to) })).toMatchObject({ code: 250 })
    }
    expect(hop.arrived.map(({ from, to }) => [from, to])).toEqual(Array(3).fill(['', ['ops@example.net']]))
    expect(text(hop.arrived[0]?.raw)).toContain('From: News <news@acme.example>')
  })

  test('who asks for many addresses that do not exist is sent away', async () => {
    const { server } = await openRelayTest()
    const smtp = await speakSmtp(server.port)
    await smtp.say('EHLO guess.example')
    await smtp.say('MAIL FROM:<x@guess.example>')
    const codes: number[] = []
    for (let guess = 0; guess < 61; guess++) {
      const said = await smtp.say(`RCPT TO:<k7m${'abcdefghj'.slice(0, 8)}${'23456789'[guess % 8]}@relay.example.net>`)
      codes.push(said.code)
    }
    expect(codes.slice(0, 60)).toEqual(Array(60).fill(550))
    expect(codes[60]).toBe(421)
  })
})

describe('a reply', () => {
  const setUp = async () => {
    const opened = await openRelayTest()
    await opened.send()
    const reverse = /<(r-[^>]+)>/.exec(fieldOf(opened.hop.arrived[0]?.raw, 'From') ?? '')?.[1] as string
    opened.hop.arrived.length = 0
    const answer = (message: string, from = inbox) =>
      opened.send({ from, to: reverse, message, helo: 'mail.example.org' })
    return { ...opened, reverse, answer }
  }

  test('from anybody but the owner of the relay address is refused', async () => {
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

  test('that nobody wrote is taken and dropped', async () => {
    const { answer, reverse, hop } = await setUp()
    expect(await answer(personReply(reverse, { head: 'Auto-Submitted: auto-replied\r\n' }))).toMatchObject({
      code: 250,
    })
    expect(await answer(personReply(reverse), '')).toMatchObject({ code: 250 })
    expect(hop.arrived).toEqual([])
  })

  test('that would show the real address is refused, with the reason', async () => {
    const { answer, reverse, hop } = await setUp()
    const card = personReply(reverse, {
      head: 'Content-Type: text/vcard\r\n',
      body: `BEGIN:VCARD\r\nEMAIL:${inbox}\r\nEND:VCARD\r\n`,
    })
    expect(await answer(card)).toEqual({
      code: 550,
      text: '5.7.1 Not sent: a contact card would show your address. Please reply without it.',
    })
    expect(hop.arrived).toEqual([])
  })

  test('holds no address the person ever had', async () => {
    const { answer, reverse, hop, prisma } = await setUp()
    const { id } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    await prisma.formerEmail.create({ data: { personId: id, address: 'ada.before@example.com', until: new Date() } })
    const body = 'Write to ada.before@example.com or Ada@Example.ORG\r\n'
    expect(await answer(personReply(reverse, { body }))).toMatchObject({ code: 250 })
    expect(text(hop.arrived[0]?.raw)).not.toMatch(/example\.(org|com)/i)
  })

  test('after the hundredth of a day has to wait', async () => {
    const { answer, reverse, prisma } = await setUp()
    expect(await answer(personReply(reverse))).toMatchObject({ code: 250 })
    await prisma.attempt.updateMany({ where: { key: { startsWith: 'relay-replies:' } }, data: { points: 100 } })
    const another = personReply(reverse).replace('CAF1', 'CAF2')
    expect(await answer(another)).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.7\.1/) })
  })
})

describe('a delivery report', () => {
  const report = (to: string, status: string, unique = '') =>
    `From: <mailer-daemon@example.org>\r\nTo: <${to}>\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n\r\nSorry ${unique}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example.org\r\n\r\nFinal-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: ${status}\r\n\r\n--b--\r\n`

  const setUp = async () => {
    const opened = await openRelayTest()
    await opened.send()
    const sender = opened.hop.arrived[0]?.from as string
    opened.hop.arrived.length = 0
    const tell = (status: string, unique = '', to = sender) =>
      opened.send({ from: '', to, message: report(to, status, unique) })
    return { ...opened, sender, tell }
  }

  test('that the inbox is gone, three times in a day, pauses what is forwarded; the person is told', async () => {
    const { tell, send, prisma, hop } = await setUp()
    for (const unique of ['one', 'two', 'two', 'two']) expect(await tell('5.1.1', unique)).toMatchObject({ code: 250 })
    expect(await send({ message: appMessage('x').replace('order-7', 'order-8') })).toMatchObject({ code: 250 })
    expect(await tell('5.2.1', 'three')).toMatchObject({ code: 250 })
    expect(await send()).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.2\.1/) })
    const noted = await prisma.activity.findMany({ where: { kind: 'mail_paused' } })
    expect(noted).toHaveLength(1)
    expect(hop.arrived).toHaveLength(1)
  })

  test.each(['5.7.1', '4.2.2', '5.2.2'])('%s pauses nothing, however often', async (status) => {
    const { tell, prisma } = await setUp()
    for (const unique of ['1', '2', '3', '4']) await tell(status, unique)
    expect(await prisma.person.findFirst({ where: { username: 'ada' } })).toMatchObject({ mailPausedAt: null })
  })

  test('about a reply becomes a notice in the account and goes no further', async () => {
    const { send, hop, prisma, tell } = await setUp()
    await send({ message: appMessage('x').replace('order-7', 'order-9') })
    const reverse = /<(r-[^>]+)>/.exec(fieldOf(hop.arrived[0]?.raw, 'From') ?? '')?.[1] as string
    await send({ from: inbox, to: reverse, message: personReply(reverse), helo: 'mail.example.org' })
    const sender = hop.arrived[1]?.from as string
    expect(await tell('5.1.1', '', sender)).toMatchObject({ code: 250 })
    expect(await prisma.activity.findMany({ where: { kind: 'reply_undelivered' } })).toMatchObject([
      { detail: '{"app":"Acme Web"}' },
    ])
    expect(hop.arrived).toHaveLength(2)
  })

  test('to an address of two weeks ago finds nobody', async () => {
    const { tell, later } = await setUp()
    later(16 * 86_400)
    expect(await tell('5.1.1')).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.1\.1/) })
  })
})
