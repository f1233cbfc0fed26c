import { afterEach, describe, expect, it } from 'vitest'
import { openPost } from '#lib/mail/post'
import { closeHops, hopTo, letter, openHop, openRealServer } from '#lib/testing/relay/next-hop'
import { smtpOptions } from './smtp-options.ts'
import { smtpWarning, tlsProblem } from './smtp-url.ts'

afterEach(closeHops)

// Not a loopback name, but still an address of this machine.
const elsewhere = '0.0.0.0'
const words = { to: 'ada@example.org', subject: 'x', text: 'x', html: 'x', locale: 'en' }

/** Opens a mail server that accepts any login, with or without TLS, and records the logins. */
async function openServer(options: Parameters<typeof openRealServer>[0] = {}) {
  const logins: { secure: boolean; password: string | null | undefined }[] = []
  const server = await openRealServer({
    allowInsecureAuth: true,
    onAuth({ password }, { secure }, done) {
      logins.push({ secure, password })
      done(null, { user: 'postern' })
    },
    ...options,
  })
  return { ...server, logins }
}

const sender = {
  mailFrom: 'postern@example.org',
  mailReplyTo: undefined,
  serviceName: 'Postern',
  accountUrl: 'https://account.example.org',
}

/** Sends through both mail clients: a letter of the service and a message of the relay. */
async function sendBoth(url: string) {
  const post = openPost(url, sender)
  const own = await post.send(words).then(
    () => 'sent',
    () => 'refused',
  )
  post.close()
  const { kind } = await hopTo(url).send(letter())
  return [own, kind]
}

const untouched = ['refused', 'later']
const sent = ['sent', 'taken']

describe('the mail server of an SMTP_URL with a password', () => {
  it('never receives the password when it offers no STARTTLS', async () => {
    const { port, logins, messages } = await openServer({ disabledCommands: ['STARTTLS'] })
    for (const query of ['', '?ignoreTLS=true', '?requireTLS=false', '?opportunisticTLS=true'])
      expect(await sendBoth(`smtp://postern:secret@${elsewhere}:${port}${query}`)).toEqual(untouched)
    expect([logins, messages]).toEqual([[], []])
  })

  it.each([
    ['refuses STARTTLS', { EHLO: '250-hop.example\r\n250-AUTH PLAIN\r\n250 STARTTLS', STARTTLS: '454 4.7.0 no' }],
    ['knows no EHLO', { EHLO: '502 5.5.1 what?', HELO: '250 hop.example' }],
    ['drops STARTTLS from its list', { EHLO: '250-hop.example\r\n250 AUTH PLAIN LOGIN' }],
  ])('never receives the password when it %s', async (_, script) => {
    const { server } = await openHop(script)
    expect(await sendBoth(server.url.replace('127.0.0.1', elsewhere).replace('//', '//postern:secret@'))).toEqual(
      untouched,
    )
    expect(server.commands.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([])
  })

  it('receives the password over TLS', async () => {
    const { port, logins } = await openServer()
    expect(await sendBoth(`smtp://postern:secret@${elsewhere}:${port}?tls.rejectUnauthorized=false`)).toEqual(sent)
    expect(logins).toEqual([
      { secure: true, password: 'secret' },
      { secure: true, password: 'secret' },
    ])
  })

  it('receives the password over TLS only with a valid certificate', async () => {
    const { port, logins } = await openServer()
    expect(await sendBoth(`smtp://postern:secret@${elsewhere}:${port}`)).toEqual(untouched)
    expect(logins).toEqual([])
  })

  it('receives the password in clear text on this machine or with tls=never', async () => {
    const { port, logins } = await openServer({ disabledCommands: ['STARTTLS'] })
    expect(await sendBoth(`smtp://postern:secret@127.0.0.1:${port}`)).toEqual(sent)
    expect(await sendBoth(`smtp://postern:secret@${elsewhere}:${port}?tls=never`)).toEqual(sent)
    expect(logins).toHaveLength(4)
  })

  it('receives mail without a password and without STARTTLS', async () => {
    const { port } = await openServer({ disabledCommands: ['STARTTLS'] })
    expect(await sendBoth(`smtp://${elsewhere}:${port}`)).toEqual(sent)
  })
})

describe('an SMTP_URL', () => {
  it('keeps the options of its query', () => {
    const options = smtpOptions('smtps://u:p@mail.example:465?name=out.example&tls.servername=mx.example')
    expect(options).toMatchObject({ secure: true, name: 'out.example', tls: { servername: 'mx.example' } })
    expect(smtpOptions('smtp://u:p@mail.example?tls=never')).not.toHaveProperty('tls')
  })

  it.each([
    ['smtp://u:p@mail.example:587', undefined],
    ['smtps://u:p@mail.example', undefined],
    ['smtp://mail.example?tls=never', undefined],
    ['smtp://u:p@localhost?tls=never', undefined],
    ['smtp://u:p@mail.example?tls=never', /tls=never/],
    ['smtp://u:p@mail.example?tls.rejectUnauthorized=false', /rejectUnauthorized/],
  ])('has a warning if it exposes its password: %s', (url, warning) => {
    if (warning) expect(smtpWarning(url)).toMatch(warning)
    else expect(smtpWarning(url)).toBeUndefined()
  })

  it.each([
    'smtp://u:p@mail.example?tls=always',
    'smtp://u:p@mail.example?tls=',
    'smtp://u:p@mail.example?tls=never&tls=never',
    'smtps://u:p@mail.example?tls=never',
  ])('is rejected with a wrong tls option: %s', (url) => {
    expect(tlsProblem(url)).toBeDefined()
  })
})
