import { expect, it, vi } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { basicAuth, openPostern } from '#lib/testing/process/postern'

it.each(kinds)('shows why an app was refused, with equal failures as one, on %s', async (kind) => {
  const { settings, token, failures, close } = await openPostern({ kind })
  const { cli } = setUpCommandLine(settings)
  const shown = async () => (await cli(['app', 'failures', 'acme-web'])).answer()
  expect(await shown()).toEqual({ client_id: 'acme-web', failures: [] })
  for (let again = 0; again < 2; again++)
    await token({ grant_type: 'authorization_code', code: 'made-up' }, basicAuth('acme-web', 'wrong'))
  await vi.waitFor(async () => expect(await failures('acme-web')).toMatchObject([{ count: 2 }]))
  const listed = await shown()
  expect(listed.failures).toEqual([
    {
      endpoint: 'token',
      code: 'invalid_client',
      reason: expect.stringMatching(/secret/),
      detail: expect.anything(),
      count: 2,
      first_at: expect.stringMatching(/^20/),
      last_at: expect.stringMatching(/^20/),
    },
  ])
  expect((await cli(['app', 'failures', 'nobody'])).stderr).toContain('There is no app "nobody"')
  await close()
})
