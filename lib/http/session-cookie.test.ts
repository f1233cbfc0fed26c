import { describe, expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { sha256 } from '#lib/crypto/hash'
import { sealToken } from '#lib/crypto/sealed-token'
import { shareFlow } from '#lib/testing/browser/flow'
import { heldSecrets, sessionCookie } from './cookies.ts'
import type { Site } from './site.ts'

/** With the master key under which the cookie of version 0.1.0 below was sealed. */
const onEarlierKey = shareFlow({ env: { SECRET_KEY: Buffer.alloc(32, 7).toString('base64url') } })
const start = Date.UTC(2026, 10, 28)
const day = 86_400_000

/** Returns the part of a site that cookies need. Its master key repeats one byte. */
const siteWith = ({ key = 7, previous, days = 0 }: { key?: number; previous?: number; days?: number } = {}) =>
  ({
    config: { accountUrl: 'http://localhost:3001' },
    secrets: deriveKeys(Buffer.alloc(32, key), previous === undefined ? undefined : Buffer.alloc(32, previous)),
    now: () => new Date(start + days * day),
  }) as unknown as Site

const lineOf = (site: Site, secrets: string[]) => sessionCookie(site, secrets).replace(/;.*/, '')

describe('the session cookie', () => {
  it('returns the secrets in their order, at most five', async () => {
    const sent = lineOf(siteWith(), ['a', 'b', 'c', 'd', 'e', 'f'])
    expect(await heldSecrets(siteWith(), sent)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('holds five secrets below its limit', async () => {
    const secrets = Array.from({ length: 5 }, (_, index) => String(index).repeat(43))
    expect(await heldSecrets(siteWith(), lineOf(siteWith(), secrets))).toEqual(secrets)
  })

  it('opens during a rotation of the master key, and after 30 days no longer', async () => {
    const sent = lineOf(siteWith(), ['a'])
    expect(await heldSecrets(siteWith({ key: 8, previous: 7 }), sent)).toEqual(['a'])
    expect(await heldSecrets(siteWith({ key: 8 }), sent)).toEqual([])
    expect(await heldSecrets(siteWith({ days: 29 }), sent)).toEqual(['a'])
    expect(await heldSecrets(siteWith({ days: 30 }), sent)).toEqual([])
  })

  it('is deleted when no session is left', () => {
    expect(sessionCookie(siteWith(), [])).toMatch(/^postern-session=; Path=\/; Max-Age=0;/)
  })

  const known = sealToken(siteWith(), { purpose: 'seal-known', seconds: 60, longest: 500 }, 'bearer', ['a'])
  const own = lineOf(siteWith(), ['a']).replace('postern-session=', '')
  it.each([
    ['nothing', ''],
    ['a secret that is not sealed', 'a'],
    ['a token of another purpose', known],
    ['a shortened cookie', own.slice(0, -1)],
    ['a prolonged cookie', `${own}.`],
    ['a huge cookie', own.repeat(20)],
    ['the prefix of a cookie of 0.1.0', 'Fe26.2*'],
    ['a cookie in the format of 0.1.0 without a valid seal', 'Fe26.2*1*a*b*c*d*e*f'],
    ['a cookie of 0.1.0 with the key id __proto__', 'Fe26.2*__proto__*ab*cd*ef**12*34~2'],
    ['a huge cookie in the format of 0.1.0', `Fe26.2*1*${'x'.repeat(100_000)}`],
  ])('ignores %s', async (_, value) => {
    expect(await heldSecrets(siteWith(), `postern-session=${value}`)).toEqual([])
  })
})

it('rejects 200 cookies in the format of 0.1.0 with other seals at once', async () => {
  const forged = Array.from({ length: 200 }, (_, index) => `Fe26.2*78*${index}*ab*cd**12*34~2`)
  const opened = await Promise.all(forged.map((value) => heldSecrets(siteWith(), `postern-session=${value}`)))
  expect(opened.flat()).toEqual([])
})

describe('a session cookie of version 0.1.0', () => {
  /** Sealed by iron-session 9.0.1. Contains two secrets and expires in 2121. */
  const earlier =
    'postern-session=Fe26.2*78*819a52273f6170dd0fae43b45c0dd41c8e0ff0e66574126e2039b67fd71a5256*GDfpHHBHekD18zAY9k8q1A*3hk6DnBMc8Gge_EuXRW3MdLeuFT9DvscWFeWONQnzzvXYsdRY-rhi4q9i2jTxbHX*4795911850429*5aff2e2527e16dd503deda158ac6c9feac6e2f6ffb44ada6a65fbf125389ae27*ytRL_zW-yVMzjJaNf7dmIg8tcAOmbFrVOc99d6_F3u4~2'

  it('opens, also during a rotation of the master key', async () => {
    expect(await heldSecrets(siteWith(), earlier)).toEqual(['first-secret', 'second-secret'])
    expect(await heldSecrets(siteWith({ key: 8, previous: 7 }), earlier)).toEqual(['first-secret', 'second-secret'])
    expect(await heldSecrets(siteWith({ key: 8 }), earlier)).toEqual([])
  })

  it('keeps its person signed in until the next sign-in, which replaces the session', async () => {
    const { browser, context, prisma } = await onEarlierKey()
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    const [authenticatedAt, expiresAt] = [context.now(), new Date(context.now().getTime() + day)]
    const old = { id: sha256('first-secret'), publicId: 'old', personId, amr: ['pwd'], address: '', device: '' }
    await context.signIn.createSession({ ...old, authenticatedAt, expiresAt })
    browser.jar.set('postern-session', earlier.replace('postern-session=', ''))
    expect(await browser.shownSession()).toBe('old')
    await browser.post('/signin/submit', { to: '/account', username: 'ada', password: 'correct horse battery' })
    expect(browser.jar.get('postern-session')).not.toContain('Fe26')
    expect(await browser.shownSession()).toMatch(/^[\w-]{22}$/)
    expect((await prisma.session.findUniqueOrThrow({ where: { id: old.id } })).endedAt).not.toBeNull()
  })
})
