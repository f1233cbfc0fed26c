import { expect, it } from 'vitest'
import { explainFailure } from '#lib/console/failures/explain'
import type { Failure } from '#lib/console/failures/failure'
import { openRobot } from '#lib/testing/browser/robot'
import { kinds } from '#lib/testing/databases/databases'
import { setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, callback, openPostern } from '#lib/testing/process/postern'

/** Returns the causes of failures, each with the seconds and the values of its words. */
const causesOf = (failures: Failure[]) =>
  Object.fromEntries(
    failures.map((failure) => {
      const { cause, seconds, values, uris } = explainFailure(failure)
      return [cause, { seconds, uris: uris?.reasons, ...values }]
    }),
  )

it('explains a code that was used, a verifier of another sign-in, and a redirect URI that differs', async () => {
  const { approve, exchange, later, context } = await setUpTokens()
  const found = async () => causesOf(await context.failures.list('acme-web', { most: 50 }))
  const code = await approve()
  await exchange(code, { code_verifier: 'V'.repeat(43) })
  await exchange(code, { redirect_uri: `${callback}/?a=b` })
  await exchange(code)
  later(7)
  await exchange(code)
  later(3)
  await exchange(code)
  await expect.poll(found).toMatchObject({
    verifierWrong: {},
    redirectDiffers: { uris: ['trailing_slash', 'extra_query'] },
    codeSpent: { seconds: 7 },
    codeSpentRevoked: { seconds: 10 },
  })
})

it.each(kinds)('explains an expired secret and a secret in the body on %s', async (kind) => {
  const { context, token, close } = await openPostern({ kind })
  const { prisma } = context.database
  await prisma.appSecret.updateMany({
    where: { appId: 'acme-web' },
    data: { expiresAt: new Date(context.now().getTime() - 60_000) },
  })
  const found = async () => causesOf(await context.failures.list('acme-web', { most: 50 }))
  await token({ grant_type: 'authorization_code' })
  await token({ client_id: 'acme-web', client_secret: 'x' }, {})
  await token({ grant_type: 'authorization_code' }, basicAuth('acme-web', 'wrong'))
  await expect.poll(found).toMatchObject({
    secretExpired: { seconds: expect.closeTo(60, -1) },
    secretInBody: { sent: 'client_secret_post', methods: ['client_secret_basic'] },
    secretWrong: {},
  })
  await close()
})

it('explains a clock that is off, an unknown kid with the known ones, and a wrong audience', async () => {
  const robot = await openRobot()
  const found = async () => causesOf(await robot.context.failures.list(robot.id, { most: 50 }))
  const now = robot.seconds()
  await robot.ask(await robot.sign({ iat: now + 600, exp: now + 660 }))
  await robot.ask(await robot.sign({ iat: now - 600, exp: now - 540 }))
  await robot.ask(await robot.sign({ aud: 'https://elsewhere.example/token' }))
  await robot.ask(await robot.sign({}, { kid: 'winter' }))
  await expect.poll(found).toMatchObject({
    clockAhead: { seconds: 600 },
    clockBehind: { seconds: 600 },
    assertionAud: { aud: 'https://elsewhere.example/token' },
    kidUnknown: { kid: 'winter', known: [robot.key.kid] },
  })
  await robot.close()
})
