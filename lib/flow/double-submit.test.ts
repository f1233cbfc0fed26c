import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { flowProvision, placeOf, shareFlow, startFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { callback, openPostern, type Postern } from '#lib/testing/process/postern'

const start = shareFlow()

type Travelling = ReturnType<typeof startFlow>

/** Signs a person in and posts the consent, up to one redirect before the code. */
async function agree({ browser }: Travelling) {
  const page = await browser.signIn(await browser.authorize())
  const form = { session: await browser.shownSession() }
  browser.stops.add('/continue')
  const { url: lastStep } = await browser.decide(page, form)
  browser.stops.clear()
  return { page, form, lastStep }
}

describe('the last step', () => {
  it('returns the same redirect while the code is unspent', async () => {
    const started = await start()
    const { browser, prisma } = started
    const { lastStep } = await agree(started)
    const [first, second] = [await browser.visit(lastStep), await browser.visit(lastStep)]
    expect(placeOf(first)).toBe(callback)
    expect(second.url.href).toBe(first.url.href)
    expect(await prisma.authorization.count()).toBe(1)
  })

  it('says "already finished" once the code is spent, with a link back, and keeps the tokens', async () => {
    const started = await start()
    const { browser, tokens, userinfo } = started
    const { lastStep } = await agree(started)
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

  it('says "already finished" once the code has expired', async () => {
    const started = await start()
    const { browser, later } = started
    const { lastStep } = await agree(started)
    await browser.visit(lastStep)
    later(61)
    const late = await browser.visit(lastStep)
    expect(await browser.problemOn(late)).toMatchObject({ kind: 'already_finished', app: 'Acme Web' })
  })

  it('says "already finished" to another session of the same person, also while the code is unspent', async () => {
    const started = await start()
    const { browser } = started
    const { lastStep } = await agree(started)
    const { parameters } = await browser.visit(lastStep)
    await browser.signIn(await browser.authorize({ prompt: 'login' }))
    const late = await browser.visit(lastStep)
    expect(await browser.problemOn(late)).toMatchObject({ kind: 'already_finished' })
    expect(late.url.href).not.toContain(parameters.code)
  })

  it('returns no revoked code', async () => {
    const started = await start()
    const { browser, prisma } = started
    const { lastStep } = await agree(started)
    await browser.visit(lastStep)
    await prisma.authorization.updateMany({ data: { revokedAt: new Date() } })
    expect(await browser.problemOn(await browser.visit(lastStep))).toMatchObject({ kind: 'already_finished' })
  })

  it('refuses when the app may no longer request the granted scopes', async () => {
    const changed = {
      ...flowProvision,
      teams: [{ ...flowProvision.teams[0], apps: flowProvision.teams[0]?.apps?.slice(0, 1) }],
    }
    const postern = await openPostern({ provision: changed })
    const started = startFlow(postern)
    const { lastStep } = await agree(started)
    await started.prisma.app.updateMany({ data: { scopes: 'openid' } })
    const after = await openPostern({ env: postern.settings, provision: { teams: [] } })
    const { browser } = startFlow(after)
    for (const [name, value] of started.browser.jar) browser.jar.set(name, value)
    const { parameters } = await browser.visit(lastStep)
    expect(parameters).toMatchObject({ error: 'access_denied', state: 'state' })
    expect(await started.prisma.authorization.count()).toBe(0)
    const failure = { endpoint: 'authorize', reason: 'registration changed during the request' }
    await expect.poll(() => after.failures('acme-web')).toMatchObject([failure])
    await postern.close()
    await after.close()
  })
})

it('returns the same redirect when the consent form is posted twice', async () => {
  const started = await start()
  const { browser, prisma } = started
  const { page, form } = await agree(started)
  const [first, second] = [await browser.decide(page, form), await browser.decide(page, form)]
  expect(second.url.href).toBe(first.url.href)
  expect(await prisma.authorization.count()).toBe(1)
})

it('continues with the second session when the sign-in form is posted twice', async () => {
  const { browser, prisma } = await start()
  const page = await browser.authorize()
  const answers = [await browser.signIn(page), await browser.signIn(page)]
  expect(answers.map(placeOf)).toEqual(['/consent', '/consent'])
  expect(await prisma.session.count({ where: { endedAt: null } })).toBe(1)
})

describe.each(kinds)('eight concurrent requests on %s', (kind) => {
  const opened: Postern[] = []
  afterEach(async () => {
    for (const postern of opened.splice(0)) await postern.close()
  })
  const setUp = async () => {
    const postern = await openPostern({ kind, provision: flowProvision })
    opened.push(postern)
    return startFlow(postern)
  }
  const eight = <T>(run: (one: number) => Promise<T>) => Promise.all(Array.from({ length: 8 }, (_, one) => run(one)))

  it('completes one request with one authorization, one sub and one code', async () => {
    const started = await setUp()
    const { browser, prisma, exchange } = started
    const { lastStep } = await agree(started)
    const answers = await eight(() => browser.visit(lastStep))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect(await prisma.authorization.count()).toBe(1)
    expect(await prisma.subject.count()).toBe(1)
    expect((await exchange(answers[0] as (typeof answers)[number])).status).toBe(200)
  })

  it('stores one decision and one code for eight decisions on one request', async () => {
    const { browser, prisma } = await setUp()
    const page = await browser.signIn(await browser.authorize())
    const answers = await eight(() => browser.decide(page))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect(placeOf(answers[0] as (typeof answers)[number])).toBe(callback)
    expect([await prisma.consent.count(), await prisma.authorization.count()]).toEqual([1, 1])
  })

  it('gives eight codes and one sub for the first requests of one person', async () => {
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

  it('counts every wrong password', async () => {
    const { browser, prisma } = await setUp()
    const page = await browser.authorize()
    await eight(() => browser.signIn(page, { password: 'x' }))
    expect((await prisma.attempt.findMany()).map(({ points }) => points)).toEqual([8, 8, 8])
  })
})
