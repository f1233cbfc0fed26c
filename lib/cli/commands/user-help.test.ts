import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { openBrowser } from '#lib/testing/browser/browser'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org', name: 'Ada' }
const everything = { apps: 'end', browsers: 'end' }

async function setUpAda(settings: Record<string, string> = {}) {
  const line = setUp(settings)
  await line.cli(['apply', line.save({ people: [ada] })])
  const withPrisma = async <T>(run: (prisma: Awaited<ReturnType<typeof openDatabase>>['prisma']) => Promise<T>) => {
    const database = await openDatabase(`file:${line.dataDir}/postern.db`)
    return run(database.prisma).finally(() => database.close())
  }
  /** Runs `run` with the context of a server that has the same settings. */
  const onServer = async <T>(run: (context: Awaited<ReturnType<typeof openContext>>) => Promise<T>) => {
    const context = await openContext(readConfig({ DATA_DIR: line.dataDir, LOG_LEVEL: 'silent', ...settings }))
    return run(context).finally(() => context.close())
  }
  return { ...line, withPrisma, onServer }
}

it('creates a person who chooses a password by the printed link, once', async () => {
  const { cli, onServer, withPrisma } = await setUpAda()
  const made = await cli([
    'user',
    'create',
    'Grace',
    '--email',
    'Grace@Bücher.example',
    '--name',
    'Grace',
    '--locale=ja',
  ])
  expect(made.code).toBe(0)
  expect(made.stderr).not.toContain('key=')
  const row = await withPrisma((prisma) => prisma.person.findUniqueOrThrow({ where: { username: 'grace' } }))
  expect(row).toMatchObject({ passwordHash: null, email: 'grace@xn--bcher-kva.example', name: 'Grace', locale: 'ja' })
  await onServer(async (context) => {
    const browser = openBrowser(context)
    const page = await browser.visit(made.answer().url)
    await browser.post('/recover/finish', { ...page.parameters, password: 'a long pass phrase', ...everything })
    expect(await browser.shownSession()).toBeDefined()
  })
})

it.each([
  [['Ada'], 'There is an account ada already'],
  [['grace', '--email', 'ADA@example.org'], 'belongs to another account'],
  [['grace', '--email', 'x@relay.localhost'], 'Hide My Email'],
  [['grace', '--email', 'no address'], '--email must be a mail address'],
  [['grace', '--locale', 'fr'], '--locale must be'],
  [['g'], 'The username must be 3 to 32'],
  [[''], 'The username must be 3 to 32'],
  [['g\u0000x'], 'The username must'],
  [['grace', '--name', 'a'.repeat(100_000)], '--name must have at most 80'],
])('refuses to create %j', async (words, why) => {
  const { cli, withPrisma } = await setUpAda()
  const { stdout, stderr, code } = await cli(['user', 'create', ...words])
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toContain(why)
  expect(await withPrisma((prisma) => prisma.person.count())).toBe(1)
})

it('creates one person when three commands run at once', async () => {
  const { spawnCli } = await setUpAda()
  const outcomes = await Promise.all([1, 2, 3].map(() => spawnCli(['user', 'create', 'grace'])))
  expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1, 1])
})

it('shows a person’s sign-in methods and counts, and no secret', async () => {
  const { cli, withPrisma } = await setUpAda()
  const { stdout, answer } = await cli(['user', 'show', 'ADA'])
  expect(answer()).toMatchObject({ username: 'ada', password: true, passkeys: 0, apps: 0, waits_until: null })
  const { passwordHash, id } = await withPrisma((prisma) => prisma.person.findFirstOrThrow())
  expect(stdout).not.toContain(passwordHash)
  expect(stdout).not.toContain(id)
})

it.each(['show', 'reset', 'unlock', 'delete', 'disable', 'enable'])(
  'suggests the username that a mistyped one resembles: user %s',
  async (command) => {
    const { cli } = await setUpAda()
    const { stderr, stdout, code } = await cli(['user', command, 'adda'])
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain('There is no person with the username "adda". Did you mean ada?')
  },
)

it('prints a link that resets the password, records it, and says when no letter can be sent', async () => {
  const { cli, onServer, withPrisma } = await setUpAda()
  const made = await cli(['user', 'reset', 'ada'])
  expect([made.code, made.answer().removes_second_factor]).toEqual([0, false])
  expect(made.stderr).toContain('No letter was sent: SMTP_URL is not set.')
  expect(made.stderr).not.toContain('key=')
  expect(await withPrisma((prisma) => prisma.activity.findMany({ orderBy: { at: 'asc' } }))).toMatchObject([
    { kind: 'account_by_operator' },
    { kind: 'recovery_link_made' },
  ])
  await onServer(async (context) => {
    const browser = openBrowser(context)
    const page = await browser.visit(made.answer().url)
    await browser.post('/recover/finish', { ...page.parameters, password: 'a long pass phrase', ...everything })
    expect(await browser.shownSession()).toBeDefined()
  })
})

it('warns that the link asks for an authenticator code, and records that a link removes it', async () => {
  const { cli, withPrisma } = await setUpAda()
  await withPrisma(async (prisma) => {
    const { id: personId } = await prisma.person.findFirstOrThrow()
    await prisma.totp.create({ data: { personId, sealedSecret: 'x', lastStep: 0, createdAt: new Date() } })
  })
  expect((await cli(['user', 'reset', 'ada'])).stderr).toContain('--remove-second-factor')
  const removing = await cli(['user', 'reset', 'ada', '--remove-second-factor'])
  expect(removing.answer().removes_second_factor).toBe(true)
  const notes = await withPrisma((prisma) => prisma.activity.findMany({ orderBy: { at: 'asc' } }))
  expect(notes.map(({ detail }) => detail)).toEqual(['{}', '{}', '{"second_factor":"removed"}'])
  // The second factor is removed when the link is used, not when it is made.
  expect(await withPrisma((prisma) => prisma.totp.count())).toBe(1)
})

it('sends the person a letter through SMTP_URL', async () => {
  const { openMailbox } = await import('#lib/mail/post')
  const mailbox = await openMailbox(() => new Date())
  const { cli } = await setUpAda({ SMTP_URL: mailbox.url })
  await cli(['user', 'reset', 'ada'])
  await cli(['user', 'delete', 'ada'])
  await cli(['user', 'delete', 'ada', '--undo'])
  expect(mailbox.list().map(({ subject }) => subject)).toEqual([
    'Deletion cancelled',
    'Your account will be deleted',
    'A link for a new password was made',
  ])
  await mailbox.close()
  const { code, stderr } = await cli(['user', 'reset', 'ada'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('could not be sent')])
})

it('refuses to make a link for a disabled person', async () => {
  const { cli } = await setUpAda()
  await cli(['user', 'disable', 'ada'])
  expect((await cli(['user', 'reset', 'ada'])).stderr).toContain('cli user enable ada')
})

it('refuses to make a link with a key that is not the server’s', async () => {
  const { cli, onServer, dataDir } = await setUpAda()
  await onServer(async () => undefined)
  const key = Buffer.from('seven and twenty wickets, or so.').toString('base64url')
  const other = setUp({ DATABASE_URL: `file:${dataDir}/postern.db`, SECRET_KEY: key })
  for (const words of [
    ['user', 'reset', 'ada'],
    ['user', 'create', 'grace'],
  ]) {
    const { code, stderr } = await other.cli(words)
    expect([code, stderr]).toEqual([1, expect.stringContaining('SECRET_KEY is not the key of this database')])
  }
  const without = setUp({ DATABASE_URL: `file:${dataDir}/postern.db` })
  expect((await without.cli(['user', 'reset', 'ada'])).stderr).toContain('SECRET_KEY is not the key')
  expect((await cli(['user', 'list'])).answer()).toHaveLength(1)
})

it('deletes after seven days, and the operator can cancel that', async () => {
  const { cli, withPrisma } = await setUpAda()
  const { answer } = await cli(['user', 'delete', 'ada'])
  expect(Date.parse(answer().delete_after)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000)
  expect((await cli(['user', 'delete', 'ada'])).answer()).toEqual(answer())
  expect((await cli(['user', 'delete', 'ada', '--undo'])).code).toBe(0)
  expect((await cli(['user', 'delete', 'ada', '--undo'])).code).toBe(1)
  expect((await cli(['user', 'show', 'ada'])).answer().delete_after).toBeNull()
  const kinds = await withPrisma((prisma) => prisma.activity.findMany({ orderBy: { at: 'asc' } }))
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'account_by_operator',
    'deletion_by_operator',
    'deletion_called_off',
    'operator_looked',
  ])
})

it('deletes at once with --now and --yes only', async () => {
  const { cli } = await setUpAda()
  expect((await cli(['user', 'delete', 'ada', '--now'])).stderr).toContain('--yes')
  expect((await cli(['user', 'delete', 'ada', '--now', '--undo'])).code).toBe(1)
  expect((await cli(['user', 'list'])).answer()).toHaveLength(1)
  expect((await cli(['user', 'delete', 'ada', '--now', '--yes'])).answer()).toEqual({ username: 'ada', deleted: true })
  expect((await cli(['user', 'list'])).answer()).toEqual([])
})

it('ends the waits of one account, and of no other', async () => {
  const { cli, save, onServer, withPrisma } = await setUpAda()
  await cli(['apply', save({ people: [{ ...ada, username: 'bob', email: 'bob@example.org' }] })])
  const wrong = { password: 'wrong pass phrase' }
  await onServer(async (context) => {
    for (const [username, network] of [
      ['ada', 1],
      ['bob', 2],
    ] as const) {
      const browser = openBrowser(context, `192.0.2.${network}`)
      for (let tries = 0; tries < 3; tries++)
        await browser.post('/signin/submit', { to: '/account', username, ...wrong })
      await browser.post('/recover/submit', { to: '/account', login: username })
    }
    await context.letters.settled()
  })
  const { id } = await withPrisma((prisma) => prisma.person.findUniqueOrThrow({ where: { username: 'ada' } }))
  const until = BigInt(Date.now() + 60_000)
  const held = { points: 200, expire: new Date(Date.now() + 3_600_000), heldUntil: until }
  await withPrisma((prisma) => prisma.attempt.create({ data: { key: `factor:person:${id}`, ...held } }))
  expect((await cli(['user', 'show', 'ada'])).answer().waits_until).toBe(new Date(Number(until)).toISOString())
  const before = await withPrisma((prisma) => prisma.attempt.count())
  const { counters_removed: removed } = (await cli(['user', 'unlock', 'ada'])).answer()
  expect(removed).toBeGreaterThanOrEqual(4)
  expect(await withPrisma((prisma) => prisma.attempt.count())).toBe(before - removed)
  expect((await cli(['user', 'show', 'ada'])).answer().waits_until).toBeNull()
  expect((await cli(['user', 'unlock', 'ada'])).answer()).toEqual({ username: 'ada', counters_removed: 0 })
  expect((await cli(['user', 'unlock', 'bob'])).answer().counters_removed).toBeGreaterThanOrEqual(3)
})
