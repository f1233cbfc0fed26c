import { afterEach, describe, expect, it } from 'vitest'
import { erasePeople } from '#lib/server/jobs/erase-people'
import { openAccount } from '#lib/testing/browser/account'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { callback, openPostern, type Postern, verifier } from '#lib/testing/process/postern'
import { answerDeletion, answerKeep } from './delete-account.ts'

const day = 86_400

describe.each(kinds)('deleting an account on %s', (kind) => {
  const opened: Postern[] = []
  afterEach(async () => {
    for (const postern of opened.splice(0)) await postern.close()
  })

  /** Signs ada in, and issues tokens for her to an app. */
  async function setUp() {
    const postern = await openPostern({ kind })
    opened.push(postern)
    const { context, clock } = postern
    const ada = await openAccount(postern)
    const exchanged = async (code: string) => {
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
      const answer = await postern.token(form)
      return { status: answer.status, ...(await answer.json()) }
    }
    const browser = openBrowser(context)
    const [name, value] = ada.cookie.split('=') as [string, string]
    browser.jar.set(name, value)
    return {
      ...postern,
      prisma: context.database.prisma,
      ada,
      browser,
      exchanged,
      tokens: await exchanged(await postern.approve({ scopes: ['openid', 'name'] })),
      ask: () => ada.fill(answerDeletion, { confirm: 'Ada' }),
      erase: () => erasePeople(context.deletions, clock.now),
    }
  }

  it('revokes tokens and other sessions at once, and starts a grace period of seven days', async () => {
    const { ada, tokens, userinfo, token, ask, clock, context, ...rest } = await setUp()
    const other = await openAccount({ context })
    const waiting = await rest.approve()
    expect((await userinfo(tokens.access_token)).status).toBe(200)
    const answer = await ask()
    expect(answer.headers.get('location')).toBe('/account/data')
    expect(await ada.flashOf(answer, 'delete')).toMatchObject({ done: 'asked' })
    expect((await ada.stored()).deleteAfter).toEqual(new Date(clock.now.getTime() + 7 * day * 1000))
    expect((await userinfo(tokens.access_token)).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect(await (await token(refresh)).json()).toMatchObject({ error: 'invalid_grant' })
    expect(await rest.exchanged(waiting)).toMatchObject({ error: 'invalid_grant' })
    expect(await context.signIn.findSession(other.sessionId, clock.now)).toBeUndefined()
    expect(await context.signIn.findSession(ada.sessionId, clock.now)).toBeDefined()
    expect((await ada.activity())[0]).toMatchObject({ kind: 'deletion_asked' })
  })

  it('revokes a request that is approved at the same moment', async () => {
    const { ask, approve, exchanged, userinfo, ...rest } = await setUp()
    await ask()
    const late = await exchanged(await approve())
    expect(late).toMatchObject({ status: 400, error: 'invalid_grant' })
    // The token is void even if a concurrent write had left its authorization unrevoked.
    await rest.prisma.authorization.updateMany({ data: { revokedAt: null } })
    expect((await userinfo(rest.tokens.access_token)).status).toBe(401)
  })

  it('signs the person in to no app during the grace period; silent requests get an error', async () => {
    const { ask, browser, context } = await setUp()
    await ask()
    const stopped = await browser.authorize()
    expect(placeOf(stopped)).toBe('/account/data')
    expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('interaction_required')
    const refusal = {
      endpoint: 'authorize',
      reason: 'The person must decide whether to keep their account. Send the request without prompt=none.',
    }
    await expect.poll(() => context.database.prisma.failure.findMany()).toMatchObject([refusal])
    expect(await context.database.prisma.authorization.count({ where: { revokedAt: null } })).toBe(0)
  })

  it('continues to the app after the deletion is cancelled', async () => {
    const { ask, browser, ada, clock, context, later } = await setUp()
    await ask()
    later(6 * day)
    const { parameters } = await browser.authorize()
    const answer = await ada.fill(answerKeep, parameters)
    const onwards = answer.headers.get('location') as string
    expect(onwards).toMatch(/^\/continue\?request=/)
    expect((await ada.stored()).deleteAfter).toBeNull()
    expect((await ada.activity())[0]).toMatchObject({ kind: 'deletion_undone' })
    expect(await context.deletions.findDue(new Date(clock.now.getTime() + 30 * day * 1000), 10)).toEqual([])
    expect((await browser.visit(onwards)).parameters.code).toBeDefined()
  })

  it('starts once for eight concurrent requests, and is cancelled once for eight', async () => {
    const { ask, ada } = await setUp()
    await Promise.all(Array.from({ length: 8 }, ask))
    await Promise.all(Array.from({ length: 8 }, () => ada.fill(answerKeep)))
    const recorded = (await ada.activity()).map((line) => line.kind)
    expect(recorded.filter((one) => one === 'deletion_asked')).toHaveLength(1)
    expect(recorded.filter((one) => one === 'deletion_undone')).toHaveLength(1)
  })

  it('deletes everything of the person after the grace period, and nothing of other people', async () => {
    const { ask, ada, later, erase, prisma, context, userinfo, tokens, clock, approve, exchanged } = await setUp()
    const bobs = await exchanged(await approve({ username: 'bob' }))
    await fillEveryTable(prisma, ada.personId, clock.now)
    await ask()
    later(7 * day - 1)
    expect(await erase()).toBe(0)
    expect(await context.factors.findPasskey('key', clock.now)).toBeDefined()
    later(1)
    expect(await context.signIn.findSession(ada.sessionId, clock.now)).toBeUndefined()
    expect(await context.deletions.keep(ada.personId, clock.now)).toBe(false)
    // The account cannot sign in after the grace period, even before the job has deleted it.
    expect(await context.signIn.findCredentials('ada', clock.now)).toBeUndefined()
    expect(await context.recoveries.findRecovering(ada.personId, clock.now)).toBeUndefined()
    expect(await context.factors.findPasskey('key', clock.now)).toBeUndefined()
    expect(await erase()).toBe(1)
    expect(await prisma.person.findUnique({ where: { id: ada.personId } })).toBeNull()
    for (const table of tables) {
      const rows: unknown[] = await (prisma[table] as { findMany(q: object): Promise<unknown[]> }).findMany({
        where: { personId: ada.personId },
      })
      expect([table, rows]).toEqual([table, []])
    }
    expect(await prisma.picture.count()).toBe(0)
    expect(await prisma.alias.findMany()).toMatchObject([{ address: 'k7m@relay.example', personId: null }])
    const [alias] = await prisma.alias.findMany()
    expect(alias?.disabledAt).toEqual(clock.now)
    expect(alias).toMatchObject({ label: '', note: '', forwarded: 0, blocked: 0, replied: 0, lastMailAt: null })
    expect([await prisma.reverseAddress.count(), await prisma.threadMark.count()]).toEqual([0, 0])
    expect((await userinfo(tokens.access_token)).status).toBe(401)
    expect(bobs.status).toBe(200)
    expect(await prisma.person.count({ where: { username: 'bob' } })).toBe(1)
    const ofBob = await prisma.activity.findMany({ where: { person: { username: 'bob' } } })
    expect(ofBob.map(({ kind }) => kind)).toEqual(['account_by_operator'])
    expect(await erase()).toBe(0)
  })

  it('gives a later account of the same name other identifiers', async () => {
    const { ask, later, erase, prisma, ada } = await setUp()
    const before = await prisma.subject.findFirstOrThrow({ where: { personId: ada.personId } })
    const person = await ada.stored()
    await ask()
    later(8 * day)
    await erase()
    await prisma.person.create({ data: { ...person, id: 'another', deleteAfter: null } })
    expect(await prisma.subject.count({ where: { OR: [{ sub: before.sub }, { personId: 'another' }] } })).toBe(0)
  })

  it('deletes a long history in steps', async () => {
    const { ask, later, prisma, ada, context, clock } = await setUp()
    const aliasName = 'k7m'
    await prisma.alias.create({ data: { address: aliasName, personId: ada.personId, createdAt: clock.now } })
    await prisma.threadMark.createMany({
      data: Array.from({ length: 25 }, (_, i) => ({ id: `mark-${i}`, aliasName, expiresAt: clock.now })),
    })
    const line = { personId: ada.personId, at: clock.now, kind: 'signed_in', detail: '{}', address: '', device: '' }
    await prisma.activity.createMany({ data: Array.from({ length: 25 }, (_, i) => ({ ...line, id: `line-${i}` })) })
    await ask()
    later(7 * day)
    let steps = 1
    while (!(await context.deletions.erase(ada.personId, clock.now, 10))) steps++
    // With 10 rows in a step: three steps each for 25 activity rows and 25 thread marks, and one each for the
    // authorizations, the sessions and the person.
    expect(steps).toBe(9)
    const left = await prisma.activity.count({ where: { personId: ada.personId } })
    expect([left, await prisma.threadMark.count()]).toEqual([0, 0])
  })
})

const tables = [
  'session',
  'consent',
  'subject',
  'authorization',
  'passkey',
  'totp',
  'recoveryCode',
  'emailCode',
  'activity',
  'alias',
  'formerEmail',
  'returnedMail',
  'member',
] as const

async function fillEveryTable(prisma: Postern['context']['database']['prisma'], personId: string, now: Date) {
  const file = `${'a'.repeat(32)}.webp`
  await prisma.picture.create({ data: { file, mediaType: 'image/webp', bytes: new Uint8Array(3), createdAt: now } })
  await prisma.person.update({ where: { id: personId }, data: { avatarFile: file } })
  const passkey = { id: 'key', publicKey: new Uint8Array(3), counter: 0, transports: '', name: 'Phone' }
  await prisma.passkey.create({ data: { ...passkey, backedUp: false, personId, createdAt: now } })
  await prisma.totp.create({ data: { personId, sealedSecret: 'sealed', lastStep: 0, createdAt: now } })
  await prisma.recoveryCode.create({ data: { personId, selector: 's', hash: 'h', createdAt: now } })
  const code = { purpose: 'bind', address: 'new@example.org', hash: 'h', attempts: 0, sent: 1 }
  await prisma.emailCode.create({ data: { ...code, personId, sentAt: now, expiresAt: now } })
  const aliasName = 'k7m@relay.example'
  const traffic = { forwarded: 3, blocked: 2, replied: 1, lastMailAt: now }
  await prisma.alias.create({
    data: { address: aliasName, personId, appId: 'acme-web', label: 'Shop', note: 'Mine', createdAt: now, ...traffic },
  })
  const target = { target: 'news@acme.example', createdAt: now, lastUsedAt: now }
  await prisma.reverseAddress.create({ data: { token: 'r-token', aliasName, ...target } })
  await prisma.threadMark.create({ data: { id: 'mark', aliasName, expiresAt: now } })
  await prisma.formerEmail.create({ data: { personId, address: 'old@example.org', until: now } })
  await prisma.returnedMail.create({ data: { id: 'returned', personId, at: now } })
  await prisma.member.create({ data: { teamId: 'acme', personId, role: 'viewer', createdAt: now } })
}

describe('the deletion form', () => {
  async function setUp() {
    const postern = await openPostern()
    return { postern, ada: await openAccount(postern) }
  }

  it.each([
    ['', 'confirm_missing'],
    ['   ', 'confirm_missing'],
    ['bob', 'confirm_different'],
    [`ada${'a'.repeat(5000)}`, 'confirm_different'],
  ])('rejects %j in place of the username', async (confirm, code) => {
    const { postern, ada } = await setUp()
    const answer = await ada.fill(answerDeletion, { confirm })
    expect(answer.headers.get('location')).toBe('/account/data/delete')
    expect((await ada.flashOf(answer, 'delete'))?.problems).toEqual([{ field: 'confirm', code }])
    expect((await ada.stored()).deleteAfter).toBeNull()
    await postern.close()
  })

  it('requires a recent sign-in and a post from our pages', async () => {
    const { postern, ada } = await setUp()
    await ada.fill(answerDeletion, { confirm: 'ada' }, { 'sec-fetch-site': 'cross-site' })
    postern.later(600)
    const answer = await ada.fill(answerDeletion, { confirm: 'ada' })
    expect(answer.headers.get('location')).toBe('/signin?to=%2Faccount%2Fdata%2Fdelete&fresh=1')
    expect(await ada.flashOf(answer, 'delete')).toMatchObject({
      ...{ problems: [], kept: { confirm: 'ada' } },
      needsSignIn: true,
    })
    expect((await ada.stored()).deleteAfter).toBeNull()
    await postern.close()
  })
})
