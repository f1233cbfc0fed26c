import { expect, it } from 'vitest'
import { makeReadiness } from '#lib/server/observe/readiness'
import { openPostern } from '#lib/testing/process/postern'

it('reports that the signing keys do not open', async () => {
  const { context, later, close } = await openPostern()
  expect(await context.unready()).toBeUndefined()
  await context.database.prisma.signingKey.updateMany({ data: { sealedPrivate: 'sealed by somebody else' } })
  later(6)
  // The context caches its answer for a second.
  expect(await context.unready()).toBeUndefined()
  expect(await makeReadiness(context.database, context.oauth.keys)()).toBe('the signing keys do not open')
  await close()
})
