import { expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ env: { TEAMS: 'open' } })
const { member } = openApps(postern)
const { makeToken, send } = openApi(postern)
const reader = async () => makeToken(await member('developer'), 'acme', ['read'])

it('returns the counts of an app by day, today last', async () => {
  await getTokens(postern)
  await postern.context.usageWriter.flush()
  const { status, json } = await send(await reader(), 'GET', '/apps/acme-web/usage')
  expect(status).toBe(200)
  const days = json.days as unknown as Record<string, unknown>[]
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ day: postern.context.now().toISOString().slice(0, 10), sign_ins: 1, failures: 0 })
  const year = await send(await reader(), 'GET', '/apps/acme-web/usage?days=365')
  expect(year.json.days).toHaveLength(365)
})

it('returns the health of an app with the sentences of the standards', async () => {
  const { json } = await send(await reader(), 'GET', '/apps/acme-web/health')
  expect(json).toMatchObject({ grades: { oauth21: 'look', rfc9700: 'look', fapi2: 'mend' } })
  expect(json.checks).toContainEqual(
    expect.objectContaining({ subject: 'pkce', found: 'required', grade: 'good', rules: expect.any(Array) }),
  )
})

it.each(['usage', 'health'])('answers 404 for the %s of an app of another team', async (page) => {
  expect((await send(await reader(), 'GET', `/apps/other-web/${page}`)).status).toBe(404)
})

it.each(['0', '31', '1e9', '30&days=365'])('refuses the span %j', async (days) => {
  expect((await send(await reader(), 'GET', `/apps/acme-web/usage?days=${days}`)).status).toBe(400)
})
