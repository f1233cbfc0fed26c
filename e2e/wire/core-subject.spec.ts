import type { Client } from './client.ts'
import { expect, type Person, type Provider, people, test } from './provider.ts'
import { idTokenOf, tokensOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

const subOf = async (provider: Provider, client: Client, person: Person = people.ada) =>
  (await idTokenOf(provider, openAgent(provider, { person }), client)).claims.sub

test.describe('OpenID Connect Core 1.0 §8 Subject Identifier Types', () => {
  // "The OpenID Provider's Discovery document MUST list its supported Subject Identifier types in the
  // subject_types_supported element."
  test('lists the type pairwise alone', ({ provider }) => {
    expect(provider.discovery.subject_types_supported).toEqual(['pairwise'])
  })

  // "pairwise: This provides a different sub value to each Client, so as not to enable Clients to correlate the End-User's
  // activities without permission."; §8.1: "the OpenID Provider MUST calculate a unique sub … value for each Sector
  // Identifier." The sector of an app is its team (specification §2.4).
  test('gives another team another sub, and the apps of one team the same', async ({ provider }) => {
    const [one, sister, other] = [
      await provider.client('oidc', { team: 'sector-one' }),
      await provider.client('fapi2', { team: 'sector-one' }),
      await provider.client('oidc', { team: 'sector-two' }),
    ]
    const sub = await subOf(provider, one)
    expect(await subOf(provider, sister)).toBe(sub)
    expect(await subOf(provider, other)).not.toBe(sub)
  })

  // §5.7: "never reassigned within the Issuer … to another End-User", "locally unique"
  test('gives each person another sub', async ({ provider }) => {
    const client = await provider.client('oidc')
    expect(await subOf(provider, client)).not.toBe(await subOf(provider, client, people.bob))
  })

  // §8.1: "The Subject Identifier value MUST NOT be reversible by any party other than the OpenID Provider."; §2: at most
  // 255 ASCII characters
  test('gives a sub that contains nothing about the person or the app', async ({ provider }) => {
    const client = await provider.client('oidc', { team: 'sector-three' })
    const sub = String(await subOf(provider, client))
    const decoded = Buffer.from(sub, 'base64url').toString('latin1')
    const { id } = await provider.database.prisma.person.findUniqueOrThrow({
      where: { username: people.ada.username },
    })
    for (const known of [id, people.ada.username, people.ada.email, client.id, 'sector-three'])
      expect(`${sub} ${decoded}`).not.toContain(known)
    expect(sub).toMatch(/^[\x21-\x7e]{22,255}$/)
  })
})

test.describe('OpenID Connect Core 1.0 §5.7 Claim Stability and Uniqueness', () => {
  // "The sub (subject) and iss (issuer) Claims … used together, are the only Claims that an RP can rely upon as a stable
  // identifier for the End-User"
  test('keeps sub over sign-ins, browsers and changes of the profile', async ({ provider }) => {
    const eve = { username: 'stable-eve', password: 'correct horse battery', name: 'Eve', email: 'eve@example.org' }
    await provider.apply({ people: [eve] })
    const client = await provider.client('oidc')
    const sub = await subOf(provider, client, eve)
    const data = { name: 'Evelyn', email: 'evelyn@example.org', locale: 'ja' }
    await provider.database.prisma.person.update({ where: { username: eve.username }, data })
    const agent = openAgent(provider, { person: eve })
    const { access_token } = await tokensOf(agent, client, { scope: 'openid name email' })
    expect((await client.userinfo(access_token)).json()).toMatchObject({ sub, name: data.name, email: data.email })
  })
})
