import { decodeJwt } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { journeys, placeOf, shareJourney, travel } from '#lib/testing/browser/journey'
import { kinds } from '#lib/testing/process/databases'
import { callback, openPostern, type Postern } from '#lib/testing/process/postern'

const start = shareJourney()

type Travelling = ReturnType<typeof travel>

/** Somebody who agreed, one redirect before the end. */
async function agree({ browser }: Travelling) {
  const page = await browser.signIn(await browser.authorize())
  const form = { session: await browser.shownSession() }
  browser.stops.add('/continue')
  const { url: lastStep } = await browser.decide(page, form)
  browser.stops.clear()
  return { page, form, lastStep }
}

describe('the last step', () => {
  test('gives the same redirect again while the code is unspent', async () => {
    const travelling = await start()
    const { browser, prisma } = travelling
    const { lastStep } = await agree(travelling)
    const [first, second] = [await browser.visit(lastStep), await browser.visit(lastStep)]
    expect(placeOf(first)).toBe(callback)
    expect(second.url.href).toBe(first.url.href)
    expect(await prisma.authorization.count()).toBe(1)
  })

  test('says "already finished" once the code is spent, with a way back, and the tokens live on', async () => {
    const travelling = await start()
    const { browser, tokens, userinfo } = travelling
    const { lastStep } = await agree(travelling)
    const { access_token } = await tokens(await browser.visit(lastStep))
    const late = await browser.visit(lastStep)
    expect(placeOf(late)).toBe('/error')
    const problem = await browser.problemOn(late)
    expect(problem).toMatchObject({ kind: 'already_finished', app: 'Acme Web' })
    expect((await browser.visit(problem?.back ?? '')).parameters).toMatchObject({
      error: 'access_denied',
      state: 'state',
    })
    expect((await userinfo(access_token)).status).toBe(200)
  })

  test('says so once the code has expired: a dead one helps nobody', async () => {
    const travelling = await start()
    const { browser, later } = travelling
    const { lastStep } = await agree(travelling)
    await browser.visit(lastStep)
    later(61)
    const late = await browser.visit(lastStep)
    expect(await browser.problemOn(late)).toMatchObject({ kind: 'already_finished', app: 'Acme Web' })
  })

  test('says so to another session of the same person, also while the code is unspent', async () => {
    const travelling = await start()
    const { browser } = travelling
    const { lastStep } = await agree(travelling)
    const { parameters } = await browser.visit(lastStep)
    await browser.signIn(await browser.authorize({ prompt: 'login' }))
    const late = await browser.visit(lastStep)
    expect(await browser.problemOn(late)).toMatchObject({ kind: 'already_finished' })
    expect(late.url.href).not.toContain(parameters.code)
  })

  test('gives no code that was revoked', async () => {
    const travelling = await start()
    const { browser, prisma } = travelling
    const { lastStep } = await agree(travelling)
    await browser.visit(lastStep)
    await prisma.authorization.updateMany({ data: { revokedAt: new Date() } })
    expect(await browser.problemOn(await browser.visit(lastStep))).toMatchObject({ kind: 'already_finished' })
  })

  test('refuses when the app may no longer ask for what was agreed', async () => {
    const changed = { ...journeys, teams: [{ ...journeys.teams[0], apps: journeys.teams[0]?.apps?.slice(0, 1) }] }
    const postern = await openPostern({ provision: changed })
    const travelling = travel(postern)
    const { lastStep } = await agree(travelling)
    await travelling.prisma.app.updateMany({ data: { scopes: 'openid' } })
    const after = await openPostern({ env: postern.settings, provision: { teams: [] } })
    const { browser } = travel(after)
    for (const [name, value] of travelling.browser.jar) browser.jar.set(name, value)
    const { parameters } = await browser.visit(lastStep)
    expect(parameters).toMatchObject({ error: 'access_denied', state: 'state' })
    expect(await travelling.prisma.authorization.count()).toBe(0)
    const told = { endpoint: 'authorize', reason: 'registration changed during the request' }
    await expect.poll(() => after.failures('acme-web')).toMatchObject([told])
    await postern.close()
    await after.close()
  })
})

test('the consent form posted twice ends in the same redirect', async () => {
  const travelling = await start()
  const { browser, prisma } = travelling
  const { page, form } = await agree(travelling)
  const [first, second] = [await browser.decide(page, form), await browser.decide(page, form)]
  expect(second.url.href).toBe(first.url.href)
  expect(await prisma.authorization.count()).toBe(1)
})

test('the sign-in form posted twice goes on with the second session', async () => {
  const { browser, prisma } = await start()
  const page = await browser.authorize()
  const answers = [await browser.signIn(page), await browser.signIn(page)]
  expect(answers.map(placeOf)).toEqual(['/consent', '/consent'])
  expect(await prisma.session.count({ where: { endedAt: null } })).toBe(1)
})

describe.each(kinds)('eight at once on %s', (kind) => {
  const opened: Postern[] = []
  afterEach(async () => {
    for (const postern of opened.splice(0)) await postern.close()
  })
  const setUp = async () => {
    const postern = await openPostern({ kind, provision: journeys })
    opened.push(postern)
    return travel(postern)
  }
  const eight = <T>(run: (one: number) => Promise<T>) => Promise.all(Array.from({ length: 8 }, (_, one) => run(one)))

  test('completions of one request give one authorization, one sub and one code', async () => {
    const travelling = await setUp()
    const { browser, prisma, exchange } = travelling
    const { lastStep } = await agree(travelling)
    const answers = await eight(() => browser.visit(lastStep))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect(await prisma.authorization.count()).toBe(1)
    expect(await prisma.subject.count()).toBe(1)
    expect((await exchange(answers[0] as (typeof answers)[number])).status).toBe(200)
  })

  test('decisions for one request give one decision on record and one code', async () => {
    const { browser, prisma } = await setUp()
    const page = await browser.signIn(await browser.authorize())
    const answers = await eight(() => browser.decide(page))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect(placeOf(answers[0] as (typeof answers)[number])).toBe(callback)
    expect([await prisma.consent.count(), await prisma.authorization.count()]).toEqual([1, 1])
  })

  test('first requests of one person give eight codes and one sub', async () => {
    const { browser, prisma, context, tokens, personId } = await setUp()
    await browser.signIn(await browser.authorize())
    const after = { granted: ['openid', 'name'], declined: [], emailChoice: 'none' as const }
    const pair = { personId: await personId('ada'), appId: 'acme-web' }
    await context.consents.replaceConsent({ ...pair, before: undefined, after, now: context.now() })
    const answers = await eight((one) => browser.authorize({ state: `state ${one}` }))
    expect(answers.map(({ parameters }) => parameters.state)).toEqual(
      Array.from({ length: 8 }, (_, one) => `state ${one}`),
    )
    expect(new Set(answers.map(({ parameters }) => parameters.code)).size).toBe(8)
    const subjects = new Set<unknown>()
    for (const answer of answers) subjects.add(decodeJwt((await tokens(answer)).id_token).sub)
    expect(subjects.size).toBe(1)
    expect(await prisma.subject.count()).toBe(1)
  })

  test('wrong passwords are all counted', async () => {
    const { browser, prisma } = await setUp()
    const page = await browser.authorize()
    await eight(() => browser.signIn(page, { password: 'x' }))
    expect((await prisma.attempt.findMany()).map(({ points }) => points)).toEqual([8, 8, 8])
  })
})
