import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { openRelay } from '#lib/relay/inbound/server'
import { selfSigned } from '#lib/testing/process/self-signed'
import { appMessage, inbox, openRelayTest, personReply, reverseOf } from '#lib/testing/relay/relay'
import { readyForData } from '#lib/testing/relay/slow-smtp'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

/** Returns all lines of the EHLO reply and the connection. */
async function greet(port: number, localAddress?: string) {
  const smtp = await speakSmtp(port, localAddress)
  const lines: string[] = []
  smtp.socket.on('data', (chunk) => lines.push(...String(chunk).split('\r\n')))
  await smtp.say('EHLO mail.acme.example')
  return { smtp, lines, keywords: lines.map((line) => line.slice(4).split(' ')[0]) }
}

it('announces only what it supports', async () => {
  const { server } = await openRelayTest()
  const { smtp, lines, keywords } = await greet(server.port)
  expect(lines.map((line) => line.slice(4))).toContain('SIZE 26214400')
  expect(keywords).toEqual(expect.arrayContaining(['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE']))
  for (const absent of ['DSN', 'STARTTLS', 'AUTH', 'XFORWARD', 'XCLIENT', 'REQUIRETLS', 'CHUNKING', 'BINARYMIME'])
    expect(keywords).not.toContain(absent)
  for (const command of [
    'STARTTLS',
    'AUTH PLAIN AGEAYg==',
    'XCLIENT ADDR=192.0.2.1',
    'XFORWARD ADDR=192.0.2.1',
    'WIZ x',
  ])
    expect((await smtp.say(command)).code).toBeGreaterThanOrEqual(500)
  smtp.close()
})

it('upgrades with STARTTLS and discards what came before it', async () => {
  const { context, alias, hop } = await openRelayTest()
  const server = await openRelay(context.relay, { host: '127.0.0.1', port: 0, tls: selfSigned(), isFront: () => false })
  onTestFinished(() => server.close())
  const { smtp, keywords } = await greet(server.port)
  expect(keywords).toContain('STARTTLS')
  await smtp.say('MAIL FROM:<news@acme.example>')
  expect(await smtp.say('STARTTLS')).toMatchObject({ code: 220 })
  const socket = connect({ socket: smtp.socket, rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  const say = async (line: string) => {
    socket.write(`${line}\r\n`)
    return new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  }
  expect(await say('MAIL FROM:<news@acme.example>')).toMatch(/^503/)
  expect(await say('EHLO mail.acme.example')).not.toContain('STARTTLS')
  for (const line of ['MAIL FROM:<news@acme.example>', `RCPT TO:<${alias}>`, 'DATA']) await say(line)
  expect(await say(`${appMessage(alias)}.`)).toMatch(/^250/)
  expect(hop.arrived[0]?.raw.toString()).toContain('with ESMTPS id')
})

it('accepts the client’s identity from a configured front server only, and checks that client', async () => {
  const { server, alias, zone } = await openRelayTest({ env: { RELAY_FRONT: '127.0.0.9' } })
  expect((await greet(server.port, '127.0.0.8')).keywords).not.toContain('XFORWARD')
  const { smtp, keywords } = await greet(server.port, '127.0.0.9')
  expect(keywords).toContain('XFORWARD')
  const offer = async (address: string) => {
    expect(await smtp.say(`XFORWARD ADDR=${address} HELO=mail.acme.example`)).toMatchObject({ code: 250 })
    for (const line of ['MAIL FROM:<news@acme.example>', `RCPT TO:<${alias}>`, 'DATA']) await smtp.say(line)
    return smtp.say(`${appMessage(alias)}.`)
  }
  expect(await offer('192.0.2.66')).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.7\.26/) })
  zone['TXT acme.example'] = [['v=spf1 ip4:192.0.2.66 -all']]
  expect(await offer('192.0.2.66')).toMatchObject({ code: 250 })
  smtp.close()
})

it('ends a connection whose client drips a command, and gives a front server more time', async () => {
  const { context } = await openRelayTest()
  const listen = { host: '127.0.0.1', port: 0, tls: undefined, isFront: (address: string) => address === '127.0.0.9' }
  const server = await openRelay(context.relay, listen, { command: 60, commandOfFront: 60_000 })
  onTestFinished(() => server.close())
  const drip = async (localAddress: string) => {
    const smtp = await speakSmtp(server.port, localAddress)
    const dripping = setInterval(() => smtp.socket.write('X'), 10)
    onTestFinished(() => {
      clearInterval(dripping)
      smtp.close()
    })
    return smtp.answer()
  }
  const front = drip('127.0.0.9')
  expect(await drip('127.0.0.8')).toEqual({ code: 421, text: '4.4.2 Timed out waiting for a command' })
  expect(await Promise.race([front, 'still open'])).toBe('still open')
})

it('waits for a message and for the next hop longer than for a command', async () => {
  const { context, alias, hop } = await openRelayTest()
  const listen = { host: '127.0.0.1', port: 0, tls: undefined, isFront: () => false }
  const server = await openRelay(context.relay, listen, { command: 100, commandOfFront: 100 })
  onTestFinished(() => server.close())
  const { send } = context.relay.nextHop
  context.relay.nextHop.send = async (...given) => {
    await sleep(150)
    return send(...given)
  }
  const smtp = await readyForData(server.port, alias)
  onTestFinished(() => void smtp.close())
  for (const piece of [appMessage(alias), 'More.\r\n']) {
    smtp.socket.write(piece)
    await sleep(80)
  }
  expect(await smtp.say('.')).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(1)
})

it('reveals neither the real address nor the next hop’s replies in any hostile session', async () => {
  const { server, alias, send, hop, zone, prisma } = await openRelayTest()
  zone['TXT example.org'] = [['v=spf1 ip4:127.0.0.1 -all']]
  await send()
  const reverse = reverseOf(hop.arrived[0]?.raw)
  const bounce = hop.arrived[0]?.from ?? ''
  const answers: string[] = []
  const messages = [
    appMessage(alias),
    appMessage(alias, { from: 'a@b.example, c@d.example' }),
    personReply(reverse),
    personReply(reverse, { head: 'Content-Type: text/vcard\r\n', body: `EMAIL:${inbox}\r\n` }),
    `${appMessage(alias)}\n.\n`,
  ]
  const refusals: [number?, string?][] = [
    [],
    [450, `4.2.2 ${inbox} is full`],
    [554, `5.7.1 ${inbox} hates spam`],
    [421, `bye ${inbox}`],
  ]
  const session = async (message: string, from: string, to: string) => {
    const smtp = await speakSmtp(server.port)
    smtp.socket.on('data', (chunk) => answers.push(String(chunk)))
    const lines = ['HELP', `VRFY ${inbox}`, `EXPN ${alias}`, 'EHLO x', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']
    for (const line of lines) await smtp.say(line)
    await smtp.say(`${message}\r\n.`)
    await smtp.say('QUIT')
    smtp.close()
  }
  for (const refusal of refusals) {
    hop.refuse(...refusal)
    for (const message of messages)
      await Promise.all(
        ['news@acme.example', inbox, ''].flatMap((from) =>
          [alias, reverse, bounce].map((to) => session(message, from, to)),
        ),
      )
  }
  await prisma.person.updateMany({ where: { username: 'ada' }, data: { email: null } })
  await session(messages[0] as string, 'news@acme.example', alias)
  expect(answers.length).toBeGreaterThan(1000)
  expect(answers.join('')).not.toMatch(/ada|example\.org|is full|hates spam|bye /i)
})
