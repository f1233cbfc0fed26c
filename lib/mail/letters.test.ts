import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, it } from 'vitest'
import { composeLetters } from '#lib/server/compose/mail'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { locales, messagesFor } from '#lib/text/messages'
import { answerLetterHtml } from './letter-page.ts'
import type { FactorChange, Letters } from './letters.ts'
import { type Mailbox, openMailbox, openPost } from './post.ts'

const at = new Date('2026-11-20T09:05:00Z')
const to = 'ada@example.org'
const opened: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function setUp(settings: Record<string, string> = {}) {
  const mailbox = await openMailbox(() => at)
  const config = readConfig({
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64url'),
    SMTP_URL: mailbox.url,
    ...settings,
  })
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const metrics = makeMetrics()
  const post = openPost(config.smtpUrl, config)
  opened.push(() => {
    post.close()
    return mailbox.close()
  })
  return { mailbox, lines, metrics, letters: composeLetters({ config, log, metrics }, post) }
}

/** Sends each letter once. */
function sendAll(letters: Letters, locale: string): Promise<boolean[]> {
  const owner = { to, locale, username: 'ada' }
  const happened = { at, device: 'Firefox, Linux', address: '193.0.6.139' }
  const changes = Object.keys(messagesFor('en').letters.factorChanged) as FactorChange[]
  const undo = { link: 'https://x.example/undo?key=k', until: new Date('2026-11-27T09:05:00Z') }
  const proof = { ...owner, team: 'Acme', page: '/console/teams/acme/domain', domain: 'acme.example' }
  return Promise.all([
    letters.codeToBind({ to, locale, code: '012345', minutes: 10 }),
    letters.codeToRecover({ ...owner, code: '012345', minutes: 10 }),
    letters.codeToConfirm({ ...owner, code: '012345', minutes: 10 }),
    letters.addressTaken(owner),
    letters.addressReserved({ to, locale, days: 7 }),
    letters.addressChanged({ ...owner, ...happened, undo: undefined }),
    letters.addressChanged({ ...owner, ...happened, undo }),
    letters.addressRemoved({ ...owner, ...happened, undo }),
    letters.addressRestored({ ...owner, ...happened }),
    letters.addressReplaced({ ...owner, ...happened }),
    letters.passwordChanged({ ...owner, ...happened }),
    letters.newSignIn({ ...owner, ...happened }),
    letters.recovered({ ...owner, ...happened, by: 'letter', signOut: true, revoke: true }),
    letters.recovered({ ...owner, ...happened, by: 'code', signOut: false, revoke: false }),
    letters.recovered({
      ...owner,
      ...happened,
      by: 'operator',
      signOut: true,
      revoke: true,
      removesSecondFactor: true,
    }),
    letters.recoveryLink({ ...owner, minutes: 60 }),
    letters.factorResetAsked({
      ...owner,
      until: new Date('2026-11-21T09:05:00Z'),
      link: 'https://x.example/keep?key=k',
    }),
    letters.factorsReset(owner),
    ...changes.map((change) => letters.factorChanged({ ...owner, ...happened, change })),
    letters.deletionAsked({ ...owner, until: new Date('2026-11-27T09:05:00Z') }),
    letters.deletionByOperator({ ...owner, until: new Date('2026-11-27T09:05:00Z') }),
    letters.deletionUndone(owner),
    letters.teamInvitation({ to, locale, team: 'Acme', link: 'https://x.example/join?key=k', days: 7 }),
    letters.teamDomain({ ...proof, until: new Date('2026-11-27T09:05:00Z') }),
    letters.teamDomain({ ...proof, until: undefined }),
  ])
}

describe.each(locales)('letters in %s', (locale) => {
  it('arrive complete, for one recipient, in that language, without unfilled placeholders', async () => {
    const { mailbox, letters } = await setUp()
    const sent = await sendAll(letters, locale)
    expect(sent.every(Boolean)).toBe(true)
    expect(mailbox.list()).toHaveLength(sent.length)
    for (const { raw, to: envelope } of mailbox.list()) {
      const { subject = '', text = '', html = '', headers, to: shown } = await PostalMime.parse(raw)
      const header = (name: string) => headers.find(({ key }) => key === name)?.value
      expect(envelope).toEqual([to])
      expect(shown).toEqual([{ name: '', address: to }])
      expect(header('content-language')).toBe(locale)
      expect(header('auto-submitted')).toBe('auto-generated')
      expect(header('list-id')).toBe('"Postern" <letters.localhost>')
      expect(header('reply-to')).toBeUndefined()
      expect(`${subject}${text}${html.replace(/<style>[^<]*<\/style>/, '')}`).not.toMatch(/[{}]|undefined|null/)
      expect(html).toContain(`<html lang="${locale}"`)
      expect(html).not.toMatch(/<(script|img|link|iframe|form)\b|\son\w+=|url\(/i)
      expect(text).toContain('Postern')
      // Lock screens show the subject.
      expect(subject).not.toMatch(/\d{6}/)
      expect(text.includes('012345')).toBe(html.includes('012345'))
    }
  })

  it('match the golden plain text', async () => {
    const { mailbox, letters } = await setUp()
    await letters.codeToBind({ to, locale, code: '012345', minutes: 10 })
    await letters.newSignIn({ to, locale, username: 'ada', at, device: 'Firefox, Linux', address: '193.0.6.139' })
    const written = mailbox
      .list()
      .map(({ subject, text }) => `Subject: ${subject}\n\n${text.replaceAll('\r\n', '\n').trimEnd()}\n`)
    const golden = readFileSync(new URL(`./golden/${locale}.txt`, import.meta.url), 'utf8')
    expect(written.reverse().join('\n=====\n\n')).toBe(golden)
  })
})

it('names an address for answers where somebody reads them', async () => {
  const { mailbox, letters } = await setUp({ MAIL_REPLY_TO: 'support@example.org' })
  await letters.codeToBind({ to, locale: 'en', code: '012345', minutes: 10 })
  const { replyTo } = await PostalMime.parse(mailbox.list()[0]?.raw ?? '')
  expect(replyTo).toEqual([{ name: '', address: 'support@example.org' }])
  expect(mailbox.list()[0]?.text).toContain('If you have a question, reply to it.')
  expect(mailbox.list()[0]?.text).not.toContain('Replies aren’t read')
})

it('does not advise to secure the inbox after a recovery by recovery code', async () => {
  const { mailbox, letters } = await setUp()
  const owner = { to, locale: 'en', username: 'ada', at, device: '', address: '' }
  await letters.recovered({ ...owner, by: 'code', signOut: false, revoke: false })
  await letters.recovered({ ...owner, by: 'letter', signOut: true, revoke: true })
  const [byLetter, byCode] = mailbox.list().map(({ text }) => text)
  expect([byLetter, byCode].map((text) => /Secure your inbox/.test(text ?? ''))).toEqual([true, false])
  expect(byCode).toContain('make new ones')
})

it('says after a recovery what ended and what stays', async () => {
  const { mailbox, letters } = await setUp()
  const owner = { to, locale: 'en', username: 'ada', at, device: '', address: '', by: 'letter' } as const
  await letters.recovered({ ...owner, signOut: false, revoke: false })
  await letters.recovered({ ...owner, signOut: true, revoke: true })
  const [both, neither] = mailbox.list().map(({ text }) => text.replaceAll(/\s+/g, ' '))
  expect(both).toMatch(
    /All other devices were signed out.*Your apps have lost their access.*Your passkeys, authenticator/,
  )
  expect(neither).toContain('Other devices stay signed in.')
  expect(neither).not.toMatch(/were signed out|lost their access/)
})

it('puts a code on a line of its own in the text, and selects it as a whole in the HTML', async () => {
  const { mailbox, letters } = await setUp()
  await letters.codeToBind({ to, locale: 'en', code: '012345', minutes: 10 })
  const [letter] = mailbox.list()
  expect(letter?.text).toMatch(/^ {4}012345$/m)
  expect(letter?.html).toMatch(/<code [^>]*user-select:all[^>]*>012345<\/code>/)
})

it.each(['eve@example.org\r\nBcc: x@example.org', 'eve@example.org, x@example.org', '<eve@example.org> x@example.org'])(
  'adds no header and no second recipient for the address %j',
  async (hostile) => {
    const { mailbox, letters } = await setUp()
    await letters.codeToBind({ to: hostile, locale: 'en', code: '012345', minutes: 10 })
    for (const { to: envelope, raw } of mailbox.list()) {
      expect(envelope).toHaveLength(1)
      expect(raw).not.toMatch(/^Bcc:/im)
    }
  },
)

it('escapes markup and line breaks in the service name', async () => {
  const { mailbox, letters } = await setUp({ SERVICE_NAME: '<b>Q</b>&\r\nBcc: x@y.z', MAIL_FROM: 'q@example.org' })
  await letters.newSignIn({ to, locale: 'en', username: 'ada', at, device: '<i>', address: '' })
  const [letter] = mailbox.list()
  expect(letter?.to).toEqual([to])
  expect(letter?.html).not.toMatch(/<b>|<i>/)
  expect((await PostalMime.parse(letter?.raw ?? '')).headers.map(({ key }) => key)).not.toContain('bcc')
})

it('escapes the name of a team in an invitation, fills no placeholder in it, and keeps it out of the subject', async () => {
  const { mailbox, letters } = await setUp()
  const link = 'https://x.example/console/join?key=k'
  await letters.teamInvitation({ to, locale: 'en', team: '<b>{days}</b>', link, days: 7 })
  const [letter] = mailbox.list()
  expect(letter?.subject).not.toContain('days')
  expect(letter?.html).not.toContain('<b>')
  expect(letter?.text).toContain('“<b>{days}</b>”')
  expect(letter?.text).toContain(link)
  expect(letter?.html).toContain(`href="${link}"`)
})

it('sends no letter to a person without an address', async () => {
  const { mailbox, letters } = await setUp()
  expect(await letters.deletionUndone({ to: undefined, locale: '', username: 'ada' })).toBe(false)
  expect(mailbox.list()).toEqual([])
})

describe('a letter that cannot be sent', () => {
  it.each<[string, (server: Server) => void]>([
    ['hangs up', (server) => server.on('connection', (socket) => socket.destroy())],
    [
      'rejects the connection',
      (server) => server.on('connection', (socket) => socket.end('554 not today for ada@example.org\r\n')),
    ],
  ])('counts as failed, and no address is logged, when the mail server %s', async (_, behave) => {
    const server = createServer()
    behave(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push(() => void server.close())
    const { port } = server.address() as { port: number }
    const { letters, lines, metrics } = await setUp({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect(await letters.codeToBind({ to, locale: 'en', code: '012345', minutes: 10 })).toBe(false)
    expect(lines.join('')).toContain('a letter could not be sent')
    expect(lines.join('')).not.toMatch(/@|012345/)
    expect(await metrics.registry.metrics()).toContain('postern_letters_total{letter="codeToBind",outcome="failed"} 1')
  })
})

it('waits for later work and logs its failure', async () => {
  const { letters, lines } = await setUp()
  let done = false
  letters.later(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    done = true
  })
  letters.later(() => Promise.reject(new Error('no luck')))
  await letters.settled()
  expect(done).toBe(true)
  expect(lines.join('')).toContain('no luck')
})

it('shows the HTML of a letter in a sandbox, to clients on this machine only', async () => {
  const { mailbox, letters } = await setUp()
  await letters.codeToBind({ to, locale: 'en', code: '012345', minutes: 10 })
  const open = (box: Mailbox | undefined, id: string, headers: Record<string, string> = { 'x-postern-local': '1' }) =>
    answerLetterHtml({ mailbox: box }, new Request(`http://localhost:3001/dev/inbox/html/${id}`, { headers }))
  const shown = open(mailbox, '1')
  expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups [\w-]+; default-src 'none'/)
  expect(await shown.text()).toContain('012345')
  for (const id of ['2', '0', '', 'x', '1e0'])
    expect([id, open(mailbox, id).status]).toEqual([id, id === '1e0' ? 200 : 404])
  expect(open(undefined, '1').status).toBe(404)
  expect(open(mailbox, '1', {}).status).toBe(404)
})
