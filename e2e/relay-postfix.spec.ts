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

// Postfix comes from Debian on the way, where it is not there yet.
test.describe.configure({ timeout: 300_000 })

const undo: (() => unknown)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** The relay alone, and so many relay addresses of one person. */
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

test('Postfix as the next mail server: what the relay said yes to arrives behind it, through its stops and starts', async () => {
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

  // Taken by Postfix, and not by who is behind it: it lies there while Postfix is down.
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

test('Postfix in front of the relay: every refusal is said to the client, and nothing is queued that could bounce', async () => {
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
  // The second recipient waits for a transaction of its own; the answer to the message is for the first alone.
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

test('Postfix in front of the relay: the client that counts is the one it tells of, and strangers tell nothing', async () => {
  const hop = await openInbox()
  const settings = { SMTP_URL: hop.url, RELAY_FRONT: '127.0.0.1' }
  const { server, aliases } = await openRelay(settings, 1)
  const { port, expectNothingKept } = await openFront(server, { smtpd_authorized_xclient_hosts: '127.0.0.1' })
  const from = (address: string) => ({ to: aliases, xclient: `ADDR=${address} HELO=app.example` })

  expect(await swaks(port, from('127.0.0.77'))).toMatchObject({ codes: [250] })
  expect(fieldOf(hop.arrived[0]?.raw, 'Received')).toContain('[127.0.0.77]')

  // Guesses are counted for each client: one has to wait then, and the other has not guessed.
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

test('Postfix in front of the relay offers neither ETRN nor a STARTTLS that has no certificate', async () => {
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

test('Postfix in front of the relay gives a client a limited time for each whole command', async () => {
  const postfix = await startPostfixInFront(9, { smtpd_timeout: '1s' })
  undo.push(postfix.remove)
  const smtp = await speakSmtp(postfix.port)
  const dripping = setInterval(() => smtp.socket.write('X'), 100)
  undo.push(() => clearInterval(dripping))
  expect(await smtp.answer()).toMatchObject({ code: 421 })
  expect(postfix.settings('smtpd_timeout', 'notify_classes')).toEqual(['1s', ''])
})

test('what Postfix’s own load generator sends over six connections arrives, message for message', async () => {
  const hop = await openInbox()
  const { server, aliases } = await openRelay({ SMTP_URL: hop.url }, 1)
  const load = ['-m', '60', '-s', '6', '-l', '4096', '-f', 'news@shop.example', '-t', aliases[0] as string]
  await smtpSource([...load, `127.0.0.1:${server.relayPort}`])
  expect(hop.arrived).toHaveLength(60)
  expect(new Set(hop.arrived.map(({ raw }) => fieldOf(raw, 'Message-Id'))).size).toBe(60)
})

/** What a mail server announces. */
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

/** A file with a key and a certificate of its own, that Postfix may read. */
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

/** A Postfix that asks this relay; `expectNothingKept` when its work is done, since what it queues it may bounce. */
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

/** Asks for addresses that do not exist, as a client elsewhere; the answers. */
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
