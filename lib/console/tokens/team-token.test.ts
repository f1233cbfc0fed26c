import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { sharePostern } from '#lib/testing/process/share-postern'

describe('making an API token', () => {
  const postern = sharePostern({ env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { makeToken } = openApi(postern)

  it.each([
    [{ name: '' }, ['read'], 'token_name'],
    [{ name: 'x'.repeat(61) }, ['read'], 'token_name'],
    [{}, [], 'token_scopes'],
    [{}, ['read', 'everything'], 'token_scopes'],
    [{ days: '366' }, ['read'], 'token_days'],
    [{ days: '' }, ['read'], 'token_days'],
  ])('refuses %j with the scopes %j', async (fields, scopes, problem) => {
    expect(await makeToken(await member('owner'), 'acme', scopes, fields)).toBe(problem)
  })

  it('is refused for a viewer, a stranger, and after an old sign-in', async () => {
    expect(await makeToken(await member('viewer'), 'acme', ['read'])).toBe('not_allowed')
    expect(await makeToken(await member('owner'), 'other', ['read'])).toBe('')
    const account = await member('owner')
    postern.later(3600)
    expect(await makeToken(account, 'acme', ['read'])).toBe('')
    expect(await postern.context.tokens.listTokens('acme', postern.context.now())).toEqual([])
  })
})
