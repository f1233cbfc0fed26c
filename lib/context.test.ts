import { expect, test } from 'vitest'
import { openPostern } from '#lib/testing/postern'

test('a process whose signing keys no longer open says that it is not ready, and why', async () => {
  const { context, later, close } = await openPostern()
  expect(await context.unready()).toBeUndefined()
  await context.database.prisma.signingKey.updateMany({ data: { sealedPrivate: 'sealed by somebody else' } })
  later(6)
  expect(await context.unready()).toBe('the signing keys do not open')
  await close()
})
