import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profileScopes } from '#lib/oauth/scope'
import { asMail, asOther, getTokens } from '#lib/testing/oauth/get-tokens'
import { type Approval, acme, basic, openPostern, type Postern } from '#lib/testing/process/postern'

const changedAt = new Date('2026-03-04T05:06:07.890Z')
const ada = {
  ...acme.people[0],
  nickname: 'Countess',
  biography: 'First\nprogrammer 😀',
  gender: 'female',
  birthdate: '1815-12-10',
  region: 'GB',
}

let postern: Postern
beforeAll(async () => {
  postern = await openPostern({ provision: { ...acme, people: [ada, acme.people[1]] } })
  const { prisma } = postern.context.database
  await prisma.person.updateMany({ data: { profileUpdatedAt: changedAt } })
  await prisma.person.update({ where: { username: 'ada' }, data: { avatarFile: 'abcdefghijklmnop.png' } })
})
afterAll(() => postern.close())

async function claimsOf(approval: Approval) {
  const { access_token } = await getTokens(postern, approval)
  const { sub, ...claims } = await (await postern.userinfo(access_token)).json()
  expect(sub).toBe(decodeJwt(access_token).sub)
  return claims
}

const defaults = {
  name: 'Postern User',
  nickname: 'Postern User',
  picture: '',
  biography: '',
  gender: '',
  birthdate: '',
  region: '',
  preferred_username: '',
  locale: '',
  updated_at: 0,
}
const updatedAt = Math.floor(changedAt.getTime() / 1000)
const set = () => ({
  name: 'Ada L.',
  nickname: 'Countess',
  picture: `${postern.context.config.issuer}/avatars/abcdefghijklmnop.png`,
  biography: 'First\nprogrammer 😀',
  gender: 'female',
  birthdate: '1815-12-10',
  region: 'GB',
  preferred_username: 'ada',
  locale: 'ja',
})

describe('the claims (specification §2.7)', () => {
  it('have defaults when only openid is granted', async () => {
    expect(await claimsOf({ scopes: ['openid'] })).toStrictEqual(defaults)
  })

  it.each(profileScopes)('include %s when it is granted and set, and no other value', async (scope) => {
    const expected = { ...defaults, [scope]: set()[scope], updated_at: updatedAt }
    expect(await claimsOf({ scopes: ['openid', scope] })).toStrictEqual(expected)
  })

  it.each(profileScopes)('have the default of %s when it is granted and unset', async (scope) => {
    const unset = scope === 'preferred_username' ? 'bob' : defaults[scope]
    const expected = { ...defaults, [scope]: unset, updated_at: updatedAt }
    expect(await claimsOf({ username: 'bob', scopes: ['openid', scope] })).toStrictEqual(expected)
  })

  it('are complete when all nine scopes are granted', async () => {
    const all = { ...set(), updated_at: updatedAt }
    expect(await claimsOf({ scopes: ['openid', ...profileScopes] })).toStrictEqual(all)
  })

  it('are complete for a token with the legacy bundle alone, also after narrowing', async () => {
    const all = { ...set(), updated_at: updatedAt }
    expect(await claimsOf({ scopes: ['openid', 'profile'] })).toStrictEqual(all)
    const { refresh_token } = await getTokens(postern, { scopes: ['openid', 'profile'] })
    const form = { grant_type: 'refresh_token', refresh_token, scope: 'openid nickname' }
    const { access_token } = await (await postern.token(form)).json()
    expect(await (await postern.userinfo(access_token)).json()).toMatchObject({
      ...defaults,
      nickname: 'Countess',
      updated_at: updatedAt,
    })
  })

  it('include a verified email exactly if it is granted as a regular address', async () => {
    const scopes = ['openid', 'email']
    const email = { email: 'ada@example.org', email_verified: true }
    expect(await claimsOf({ scopes })).toStrictEqual({ ...defaults, ...email })
    expect(await claimsOf({ scopes, emailChoice: 'none' })).toStrictEqual(defaults)
    expect(await claimsOf({ scopes: ['openid'], emailChoice: 'regular' })).toStrictEqual(defaults)
    expect(await claimsOf({ scopes, username: 'bob' })).toStrictEqual(defaults)
  })

  it('never include the real address if the person hides it', async () => {
    const claims = await claimsOf({ scopes: ['openid', 'email'], emailChoice: 'hidden' })
    expect(JSON.stringify(claims)).not.toContain('ada@example.org')
  })

  it('lose the scopes that the authorization has lost since the token was minted', async () => {
    const { access_token } = await getTokens(postern, { scopes: ['openid', 'gender', 'email'] })
    const { authorization } = postern.context.database.prisma
    const { aid } = decodeJwt(access_token)
    await authorization.update({ where: { id: String(aid) }, data: { scopes: 'openid' } })
    const { sub, ...claims } = await (await postern.userinfo(access_token)).json()
    expect(claims).toStrictEqual(defaults)
    expect(await (await postern.introspect({ token: access_token })).json()).toMatchObject({ sub, scope: 'openid' })
  })

  it('include changes of the profile since the token was issued', async () => {
    const { access_token } = await getTokens(postern, { scopes: ['openid', 'region'], username: 'bob' })
    const later = new Date(changedAt.getTime() + 5000)
    const { person } = postern.context.database.prisma
    await person.update({ where: { username: 'bob' }, data: { region: 'CN-11', profileUpdatedAt: later } })
    const claims = await (await postern.userinfo(access_token)).json()
    expect(claims).toMatchObject({ region: 'CN-11', updated_at: updatedAt + 5 })
    await person.update({ where: { username: 'bob' }, data: { region: '', profileUpdatedAt: changedAt } })
  })

  it('have the same sub for apps of one team, and another one for another team', async () => {
    const subOf = async (clientId: string, headers = basic) => {
      const { access_token } = await getTokens(postern, { clientId }, headers)
      return (await (await postern.userinfo(access_token)).json()).sub
    }
    expect(await subOf('acme-web')).toBe(await subOf('acme-mail', asMail))
    expect(await subOf('acme-web')).not.toBe(await subOf('other-web', asOther))
  })
})

it('includes a granted field that PROFILE_FIELDS hides from the pages', async () => {
  const own = await openPostern({
    provision: { ...acme, people: [ada, acme.people[1]] },
    env: { PROFILE_FIELDS: 'name' },
  })
  try {
    const { access_token } = await getTokens(own, { scopes: ['openid', 'nickname', 'birthdate'] })
    const { nickname, birthdate } = set()
    expect(await (await own.userinfo(access_token)).json()).toMatchObject({ nickname, birthdate })
  } finally {
    await own.close()
  }
})

it('derives the default name from SERVICE_NAME', async () => {
  const own = await openPostern({ env: { SERVICE_NAME: 'Gate & Co' } })
  try {
    const { access_token } = await getTokens(own, { scopes: ['openid', 'nickname'] })
    const claims = await (await own.userinfo(access_token)).json()
    expect(claims).toMatchObject({ name: 'Gate & Co User', nickname: 'Gate & Co User' })
  } finally {
    await own.close()
  }
})
