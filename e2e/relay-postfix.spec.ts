import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openDatabase } from '#lib/db/engine/client'
import { startMailServer } from '#lib/testing/relay/mail-server'
import { fieldOf } from '#lib/testing/relay/relay'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'
import { hideFrom, inbox } from './many-aliases.ts'
import { smtpSource, startPostfixBehind, startPostfixInFront } from './postfix.ts'
import { ServerProcess } from './server-process.ts'
import { swaks } from './swaks.ts'

// The limit includes the installation of Postfix from Debian.
test.describe.configure({ timeout: 300_000 })

const undo: (() => unknown)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts the relay alone, with `count` relay addresses of one person. */
async function openRelay(settings: Record<string, string>, count: number) {
  const server = await ServerProcess.start({ ROLES: 'relay', ...settings })
  undo.push(() => server.remove())
  return { server, aliases: await hideFrom(count, server) }
}

async function openInbox() {
  const hop = await startMailServer()
  undo.push(hop.close)
  return hop
}

test('delivers everything the relay accepted through Postfix as the next hop, across its restarts', async () => {
  const behind = await openInbox()
  const postfix = await startPostfixBehind(behind.port)
  undo.push(postfix.remove)
  const { server, aliases } = await openRelay({ SMTP_URL: postfix.url }, 1)
  const to = aliases[0] as string
  const send = (subject: string) => swaks(server.relayPort, { to: [to], subject })
  const subjects = () => behind.arrived.map(({ raw }) => fieldOf(raw, 'Subject'))

  expect(await send('one')).toMatchObject({ codes: [250] })
  await expect.poll(subjects).toEqual(['one'])
  expect(behind.arrived[0]).toMatchObject({ from: expect.stringMatching(/^b-[a-z2-9]{42}@/), to: [inbox] })

  // Postfix accepts the message although the server behind it does not: the message stays in the queue while Postfix is
  // down.
  behind.refuse(450, '4.3.2 not now')
  expect(await send('two')).toMatchObject({ codes: [250] })
  await expect.poll(postfix.log).toContain('status=deferred')
  postfix.stop()
  expect(await send('three')).toMatchObject({ codes: [451] })
  expect(subjects()).toEqual(['one'])

  behind.refuse()
  postfix.start()
  expect(await send('three')).toMatchObject({ codes: [250] })
  postfix.flush()
  await expect.poll(() => subjects().sort()).toEqual(['one', 'three', 'two'])
  await expect.poll(postfix.queue).toContain('Mail queue is empty')
})

test('passes every rejection to the client and queues no message that could bounce, behind Postfix as the MX', async () => {
  const hop = await openInbox()
  const settings = { SMTP_URL: hop.url, RELAY_FRONT: '127.0.0.1' }
  const { server, aliases } = await openRelay(settings, 3)
  const [first = '', second = '', off = ''] = aliases
  await switchOff(server, off)
  const { port, expectNothingKept } = await openFront(server)
  const unknown = 'k7mabcdefghj@relay.localhost'

  expect(await swaks(port, { to: [unknown] })).toMatchObject({ codes: [550], text: expect.stringContaining('5.1.1') })
  expect(await swaks(port, { to: [off] })).toMatchObject({ codes: [550], text: expect.stringContaining('5.2.1') })
  expect(await swaks(port, { to: ['bob@elsewhere.example'] })).toMatchObject({ codes: [554] })
  expect(hop.arrived).toEqual([])

  expect(await swaks(port, { to: [first], subject: 'one' })).toMatchObject({ codes: [250] })
  // The second recipient is deferred to its own transaction; the reply to the message concerns only the first.
  const both = await swaks(port, { to: [first, second], subject: 'two' })
  expect(both).toMatchObject({ codes: [452, 250], text: expect.stringContaining('4.5.3') })
  expect(await swaks(port, { to: [second], subject: 'two' })).toMatchObject({ codes: [250] })
  expect(hop.arrived.map(({ raw }) => [fieldOf(raw, 'Subject'), fieldOf(raw, 'To')])).toEqual([
    ['one', `<${first}>`],
    ['two', `<${first}>`],
    ['two', `<${second}>`],
  ])
  expectNothingKept()
})

test('counts the client that Postfix reports, and accepts no such report from other hosts', async () => {
  const hop = await openInbox()
  const settings = { SMTP_URL: hop.url, RELAY_FRONT: '127.0.0.1' }
  const { server, aliases } = await openRelay(settings, 1)
  const { port, expectNothingKept } = await openFront(server, { smtpd_authorized_xclient_hosts: '127.0.0.1' })
  const from = (address: string) => ({ to: aliases, xclient: `ADDR=${address} HELO=app.example` })

  expect(await swaks(port, from('127.0.0.77'))).toMatchObject({ codes: [250] })
  expect(fieldOf(hop.arrived[0]?.raw, 'Received')).toContain('[127.0.0.77]')

  // Guesses are counted for each client: the first client is delayed, the second is not.
  const codes = new Set<number>()
  for (let round = 0; round < 7; round++) for (const code of await guess(port, '192.0.2.9', 9)) codes.add(code)
  expect(codes).toEqual(new Set([550, 421]))
  expect(await guess(port, '198.51.100.7', 1)).toEqual([550])

  const claim = 'XFORWARD ADDR=127.0.0.77 HELO=app.example'
  for (const [localAddress, code] of [
    ['127.0.0.1', 250],
    ['127.0.0.2', 500],
  ] as const) {
    const smtp = await speakSmtp(server.relayPort, localAddress)
    await smtp.say('EHLO mx.example')
    expect((await smtp.say(claim)).code).toBe(code)
    smtp.close()
  }
  expectNothingKept()
})

test('offers neither ETRN nor STARTTLS without a certificate, with Postfix as the MX', async () => {
  const bare = await startPostfixInFront(9)
  undo.push(bare.remove)
  expect(await keywordsOf(bare.port)).not.toContain('STARTTLS')
  const smtp = await speakSmtp(bare.port)
  await smtp.say('EHLO client.example')
  expect((await smtp.say('ETRN relay.localhost')).code).toBeGreaterThanOrEqual(400)
  smtp.close()

  const certified = await startPostfixInFront(9, { smtpd_tls_chain_files: selfSigned() })
  undo.push(certified.remove)
  const keywords = await keywordsOf(certified.port)
  expect(keywords).toContain('STARTTLS')
  expect(keywords).not.toContain('ETRN')
})

test('limits the time of a client for a complete command, with Postfix as the MX', async () => {
  const postfix = await startPostfixInFront(9, { smtpd_timeout: '1s' })
  undo.push(postfix.remove)
  const smtp = await speakSmtp(postfix.port)
  const dripping = setInterval(() => smtp.socket.write('X'), 100)
  undo.push(() => clearInterval(dripping))
  // Postfix answers 421 and closes. A byte that arrives after that resets the connection, sometimes before the 421 was read.
  expect([421, 0]).toContain((await smtp.answer()).code)
  expect(postfix.settings('smtpd_timeout', 'notify_classes')).toEqual(['1s', ''])
})

test('delivers every message of Postfix’s load generator over six connections', async () => {
  const hop = await openInbox()
  const { server, aliases } = await openRelay({ SMTP_URL: hop.url }, 1)
  const load = ['-m', '60', '-s', '6', '-l', '4096', '-f', 'news@shop.example', '-t', aliases[0] as string]
  await smtpSource([...load, `127.0.0.1:${server.relayPort}`])
  expect(hop.arrived).toHaveLength(60)
  expect(new Set(hop.arrived.map(({ raw }) => fieldOf(raw, 'Message-Id'))).size).toBe(60)
})

/** Returns the keywords of a mail server's EHLO reply. */
async function keywordsOf(port: number): Promise<string[]> {
  const smtp = await speakSmtp(port)
  let text = ''
  smtp.socket.on('data', (chunk) => {
    text += chunk
  })
  await smtp.say('EHLO client.example')
  smtp.close()
  return Array.from(text.matchAll(/^250[- ](\S+)/gm), ([, keyword = '']) => keyword)
}

/** Returns a file with a key and a self-signed certificate that Postfix can read. */
function selfSigned(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-chain-'))
  undo.push(() => rmSync(folder, { recursive: true }))
  const [key, cert, chain] = ['key', 'cert', 'chain'].map((name) => join(folder, `${name}.pem`)) as [
    string,
    string,
    string,
  ]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=mx.example.net']
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  writeFileSync(chain, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'))
  return chain
}

/**
 * Starts a Postfix in front of this relay. A test calls `expectNothingKept` at its end, because a queued message may
 * bounce.
 */
async function openFront(server: ServerProcess, settings: Record<string, string> = {}) {
  const postfix = await startPostfixInFront(server.relayPort, settings)
  undo.push(postfix.remove)
  const expectNothingKept = () => {
    expect(postfix.queue()).toContain('Mail queue is empty')
    expect(postfix.log()).toContain('proxy-accept')
    expect(postfix.log()).not.toMatch(/status=|qmgr.*from=/)
  }
  return { port: postfix.port, expectNothingKept }
}

/** Sends recipients that do not exist, with another client address. Returns the reply codes. */
async function guess(port: number, address: string, times: number): Promise<number[]> {
  const smtp = await speakSmtp(port)
  const codes: number[] = []
  await smtp.say(`XCLIENT ADDR=${address} HELO=guess.example`)
  await smtp.say('EHLO guess.example')
  await smtp.say('MAIL FROM:<x@guess.example>')
  for (let count = 0; count < times; count++) {
    codes.push((await smtp.say(`RCPT TO:<k7mabcdefgh${'23456789j'[count]}@relay.localhost>`)).code)
  }
  smtp.close()
  return codes.filter((code) => code !== 0)
}

async function switchOff(server: ServerProcess, alias: string): Promise<void> {
  const database = await openDatabase(server.databaseUrl)
  const address = alias.split('@')[0] as string
  await database.prisma.alias.update({ where: { address }, data: { disabledAt: new Date() } })
  await database.close()
}
