import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flowProvision, startFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { type LogoutReceiver, openLogoutReceiver } from '#lib/testing/oauth/logout-receiver'
import { openPostern } from '#lib/testing/process/postern'
import type { Zone } from '#lib/testing/relay/zone'

let receiver: LogoutReceiver
beforeAll(async () => {
  receiver = await openLogoutReceiver()
})
afterAll(() => receiver.close())

const [acme, other] = flowProvision.teams
const [web, ...rest] = acme?.apps ?? []

it.each(kinds)('a receiver that was down for an hour hears of the logout, on %s', async (kind) => {
  receiver.forget()
  const informed = { ...web, backchannel_logout_uri: `http://rp.example:${new URL(receiver.url).port}/logout` }
  const provision = { ...flowProvision, teams: [{ ...acme, apps: [informed, ...rest] }, other] }
  // The name of the receiver has no address yet.
  const zone: Zone = {}
  const { browser, tokens, context, clock, later, prisma, failures, close } = startFlow(
    await openPostern({ kind, provision, zone }),
  )
  const back = await browser.decide(await browser.signIn(await browser.authorize()))
  const { id_token } = await tokens(back)
  const row = () => prisma.logoutDelivery.findFirst()

  // The hint proves the session, so the logout needs no question.
  await browser.visit(`${context.config.issuer}/oauth2/logout?${new URLSearchParams({ id_token_hint: id_token })}`)
  expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('login_required')

  // The claim of an attempt and the scheduling of the next one each change the version.
  const untilItWaits = (attempts: number) =>
    expect.poll(async () => (await row())?.version, { timeout: 30_000 }).toBe(2 * attempts)
  await untilItWaits(1)
  const waits: number[] = []
  for (let seconds = 0, attempts = 1; seconds < 3600; attempts += 1) {
    const { nextAt } = (await row()) ?? { nextAt: clock.now }
    const wait = (nextAt.getTime() - clock.now.getTime()) / 1000
    waits.push(wait)
    seconds += wait
    later(wait)
    if (seconds >= 3600) break
    context.deliveries.nudge()
    await untilItWaits(attempts + 1)
  }
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600])
  expect(receiver.arrived).toEqual([])

  zone['A rp.example'] = ['127.0.0.1']
  context.deliveries.nudge()
  await expect.poll(row, { timeout: 30_000 }).toBeNull()
  const [token = ''] = receiver.tokens()
  const keys = createLocalJWKSet({ keys: await context.oauth.keys.published() })
  const { payload } = await jwtVerify(token, keys, { currentDate: clock.now, typ: 'logout+jwt', audience: 'acme-web' })
  const { sub, sid } = decodeJwt(id_token)
  expect([payload.sub, payload.sid, receiver.arrived.length]).toEqual([sub, sid, 1])
  // The token is new: it is valid now, an hour after the logout.
  expect(payload.iat).toBe(Math.floor(clock.now.getTime() / 1000))
  const failed = async () => (await failures('acme-web')).filter(({ endpoint }) => endpoint === 'backchannel_logout')
  await expect
    .poll(failed)
    .toMatchObject([{ code: 'retried', reason: 'the host name has no address', count: waits.length }])
  await close()
})
