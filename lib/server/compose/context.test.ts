import { expect, test } from 'vitest'
import { makeReadiness } from '#lib/server/observe/readiness'
import { openPostern } from '#lib/testing/process/postern'

test('says that a process is not ready, and why, when its signing keys no longer open', async () => {
  const { context, later, close } = await openPostern()
  expect(await context.unready()).toBeUndefined()
  await context.database.prisma.signingKey.updateMany({ data: { sealedPrivate: 'sealed by somebody else' } })
  later(6)
  // The context's own answer holds for a second.
  expect(await context.unready()).toBeUndefined()
  expect(await makeReadiness(context.database, context.oauth.keys)()).toBe('the signing keys do not open')
  await close()
})
