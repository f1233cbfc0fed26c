import { describe, expect, it } from 'vitest'
import { appMessage, fieldOf, openRelayTest, rawText, reverseOf } from '#lib/testing/relay/relay'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

describe('the relay’s reply', () => {
  it.each([
    ['somebody@elsewhere.example', 550, '5.7.1'],
    ['k7mabcdefghj@relay.example.net', 550, '5.1.1'],
    ['r-abcdefgh23456789abcd@relay.example.net', 550, '5.1.1'],
    [`b-${'a'.repeat(42)}@relay.example.net`, 550, '5.1.1'],
    ['noreply@relay.example.net', 550, '5.1.1'],
  ])('rejects a message for %s with %i %s', async (to, code, status) => {
    const { send, hop } = await openRelayTest()
    const said = await send({ to })
    expect([said.code, said.text.split(' ')[0]]).toEqual([code, status])
    expect(hop.arrived).toEqual([])
  })

  it('accepts an alias in any case and rejects one with a tag or a dot', async () => {
    const { send, alias } = await openRelayTest()
    const [name = '', domain = ''] = alias.split('@')
    expect(await send({ to: `${name.toUpperCase()}@RELAY.example.NET` })).toMatchObject({ code: 250 })
    expect(await send({ to: `${name}+tag@${domain}` })).toMatchObject({ code: 550 })
    expect(await send({ to: `${name.slice(0, 6)}.${name.slice(6)}@${domain}` })).toMatchObject({ code: 550 })
  })

  it('rejects mail to a switched-off address and from an app without access, and counts it', async () => {
    const { send, prisma, alias } = await openRelayTest()
    const name = alias.split('@')[0] as string
    await prisma.alias.updateMany({ data: { disabledAt: new Date() } })
    expect(await send()).toEqual({ code: 550, text: '5.2.1 This address does not accept mail' })
    await prisma.alias.updateMany({ data: { disabledAt: null } })
    expect(await send()).toMatchObject({ code: 250 })
    await prisma.consent.deleteMany()
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1/) })
    await expect.poll(() => prisma.alias.findUnique({ where: { address: name } })).toMatchObject({ blocked: 2 })
  })

  it('rejects every address of a person who has requested deletion as unknown', async () => {
    const { send, prisma, hop, alias } = await openRelayTest()
    await send()
    const [first] = hop.arrived
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { deleteAfter: new Date() } })
    for (const to of [alias, reverseOf(first?.raw), first?.from as string])
      expect(await send({ from: '', to })).toEqual({ code: 550, text: '5.1.1 This address does not exist' })
  })

  it('answers with a temporary failure while no address is bound', async () => {
    const { send, prisma } = await openRelayTest()
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { email: null } })
    expect(await send()).toMatchObject({ code: 450, text: expect.stringMatching(/^4\.2\.1/) })
  })

  it('defers a second recipient to its own transaction', async () => {
    const { server, alias, hide, hop } = await openRelayTest()
    const other = await hide('other-web')
    const smtp = await speakSmtp(server.port)
    for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${alias}>`])
      await smtp.say(line)
    expect(await smtp.say(`RCPT TO:<${other}>`)).toMatchObject({ code: 452, text: expect.stringMatching(/^4\.5\.3/) })
    // A permanently rejected recipient is not deferred.
    expect(await smtp.say('RCPT TO:<x@elsewhere.example>')).toEqual({ code: 550, text: '5.7.1 Relaying denied' })
    await smtp.say('DATA')
    expect(await smtp.say(`${appMessage(alias)}.`)).toMatchObject({ code: 250 })
    smtp.close()
    expect(hop.arrived).toHaveLength(1)
  })

  it.each<[string, number, string, (message: string) => string | Buffer]>([
    ['no From', 550, '5.6.0', (message) => message.replace(/^From: .*\r\n/, '')],
    ['several From', 550, '5.6.0', (message) => `From: <x@acme.example>\r\n${message}`],
    ['a bare LF', 550, '5.6.0', (message) => message.replace('on its', 'on\nits')],
    ['a bare CR', 550, '5.6.0', (message) => message.replace('on its', 'on\rits')],
    ['NUL', 550, '5.6.0', (message) => message.replace('on its', 'on\0its')],
    ['an endless header block', 550, '5.6.0', (message) => `${'X-More: of the same\r\n'.repeat(15_000)}${message}`],
    ['too many Received', 554, '5.4.6', (message) => `${'Received: from x by y; z\r\n'.repeat(51)}${message}`],
    [
      'a delivery report',
      550,
      '5.7.1',
      (message) => `Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n${message}`,
    ],
    [
      'more than 25 MiB',
      552,
      '5.3.4',
      (message) => Buffer.from(`${message}${`${'x'.repeat(998)}\r\n`.repeat(26_300)}`),
    ],
  ])('rejects a message with %s with %i %s', async (_, code, status, change) => {
    const { send, alias, hop } = await openRelayTest()
    const said = await send({ message: change(appMessage(alias)) })
    expect([said.code, said.text.split(' ')[0]]).toEqual([code, status])
    expect(hop.arrived).toEqual([])
  })

  it('accepts the null sender with the proof of its HELO, except for a delivery report', async () => {
    const { send, alias, hop, zone } = await openRelayTest()
    const [helo, from] = ['mail.acme.example', '']
    zone[`TXT ${helo}`] = [['v=spf1 ip4:127.0.0.1 -all']]
    expect(await send({ from, helo })).toMatchObject({ code: 250 })
    const report = appMessage(alias, { head: 'Content-Type: message/delivery-status\r\n' })
    expect(await send({ from, helo, message: report })).toMatchObject({ code: 550 })
    expect(hop.arrived).toHaveLength(1)
  })

  it('rejects an unproven sender and informs the app’s developers of the reason', async () => {
    const { send, zone, prisma, hop, failures } = await openRelayTest()
    zone['TXT acme.example'] = [['v=spf1 ip4:192.0.2.1 -all']]
    expect(await send()).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.7\.26/) })
    expect(hop.arrived).toEqual([])
    expect(await prisma.alias.findFirst()).toMatchObject({ blocked: 1, forwarded: 0 })
    await expect
      .poll(() => failures('acme-web'))
      .toMatchObject([{ endpoint: 'relay', code: '5.7.26', reason: 'dmarc_failed' }])
  })

  it('accepts mail of an app with a proven domain from that domain only', async () => {
    const { send, zone, prisma } = await openRelayTest()
    const domain = {
      appId: 'acme-web',
      domain: 'mail.acme.example',
      proof: 'x',
      createdAt: new Date(),
      verifiedAt: new Date(),
    }
    await prisma.mailDomain.create({ data: domain })
    expect(await send()).toEqual({
      code: 550,
      text: '5.7.1 The sending domain is not registered for this address: send from a registered domain',
    })
    zone['TXT mail.acme.example'] = [['v=spf1 ip4:127.0.0.1 -all']]
    expect(await send({ from: 'bounce@mail.acme.example' })).toMatchObject({ code: 250 })
  })

  it('answers with a temporary failure during trouble with DNS or the database', async () => {
    const { send, zone, context, hop } = await openRelayTest()
    zone['TXT acme.example'] = 'trouble'
    expect(await send()).toMatchObject({ code: 451, text: expect.stringMatching(/^4\.3\.0/) })
    zone['TXT acme.example'] = [['v=spf1 ip4:127.0.0.1 -all']]
    const { keepReverse } = context.relay.store
    context.relay.store.keepReverse = () => Promise.reject(new Error('the disk is full, ada@example.org'))
    expect(await send()).toEqual({
      code: 451,
      text: '4.3.0 The message cannot be delivered at the moment, try again later',
    })
    context.relay.store.keepReverse = keepReverse
    expect(hop.arrived).toEqual([])
    expect(await send()).toMatchObject({ code: 250 })
  })

  it('never passes on the text of the next hop’s reply', async () => {
    const { send, hop, prisma } = await openRelayTest()
    hop.refuse(450, '4.2.2 ada@example.org is full')
    expect(await send()).toEqual({
      code: 451,
      text: '4.3.0 The message cannot be delivered at the moment, try again later',
    })
    hop.refuse(554, '5.7.1 spam for ada@example.org')
    expect(await send()).toEqual({ code: 550, text: '5.7.0 The next mail server rejected the message' })
    hop.refuse()
    expect(await send()).toMatchObject({ code: 250 })
    expect(await prisma.alias.findFirst()).toMatchObject({ forwarded: 1 })
  })

  it('accepts a repeated message for a day without sending it again', async () => {
    const { send, hop, later } = await openRelayTest()
    for (let time = 0; time < 3; time++) expect(await send()).toMatchObject({ code: 250 })
    expect(hop.arrived).toHaveLength(1)
    later(86_401)
    expect(await send()).toMatchObject({ code: 250 })
    expect(hop.arrived).toHaveLength(2)
  })

  it('rejects a message with the relay’s own loop mark for the address', async () => {
    const { send, hop, alias } = await openRelayTest()
    await send()
    const mark = fieldOf(hop.arrived[0]?.raw, 'X-Relay-Loop')
    const round = appMessage(alias, { head: `X-Relay-Loop: ${mark}\r\n`, body: 'Out of office\r\n' })
    expect(await send({ message: round })).toMatchObject({ code: 554, text: expect.stringMatching(/^5\.4\.6/) })
  })

  it('forwards mail to postmaster and abuse unchanged to the operator, with and without a domain', async () => {
    const { send, hop } = await openRelayTest()
    const message = appMessage('postmaster@relay.example.net')
    for (const to of ['postmaster', 'PostMaster@relay.example.net', 'abuse@relay.example.net']) {
      expect(await send({ to, message: message.replace('order-7', to) })).toMatchObject({ code: 250 })
    }
    expect(hop.arrived.map(({ from, to }) => [from, to])).toEqual(Array(3).fill(['', ['ops@example.net']]))
    expect(rawText(hop.arrived[0]?.raw)).toContain('From: News <news@acme.example>')
    // The sender is not authenticated, so the relay does not sign the message.
    expect(rawText(hop.arrived[0]?.raw)).not.toContain('DKIM-Signature')
  })

  it.each(['security@relay.example.net', 'security@mail.RELAY.example.net'])(
    'rejects mail to the operator from %s',
    async (author) => {
      const { send, hop } = await openRelayTest()
      const message = appMessage('postmaster@relay.example.net').replace('news@acme.example', author)
      expect(await send({ to: 'postmaster', message })).toMatchObject({ code: 550 })
      expect(hop.arrived).toEqual([])
    },
  )

  it('records the reason of a rejection for the app, without foreign domains', async () => {
    const { send, prisma, zone } = await openRelayTest()
    zone['TXT acme.example'] = zone['TXT example.org'] = [['v=spf1 -all']]
    const details = async () => (await prisma.failure.findMany({ orderBy: { lastAt: 'asc' } })).map((one) => one.detail)
    // The person tests the alias with mail from the domain of their own inbox.
    const own = appMessage('x').replace('news@acme.example', 'me@example.org')
    expect(await send({ from: 'me@example.org', message: own })).toMatchObject({ code: 550 })
    await expect.poll(details).toEqual(['{"results":"spf fail, dmarc fail"}'])
    await prisma.failure.deleteMany()
    const proven = {
      appId: 'acme-web',
      domain: 'acme.example',
      proof: 't',
      createdAt: new Date(),
      verifiedAt: new Date(),
    }
    await prisma.mailDomain.create({ data: proven })
    expect(await send()).toMatchObject({ code: 550 })
    await expect.poll(details).toEqual([expect.stringContaining('"from":"acme.example"')])
  })

  it('disconnects a client that tries many unknown addresses', async () => {
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
