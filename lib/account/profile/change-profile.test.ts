import { describe, expect, it } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerProfile } from './change-profile.ts'

const whole = {
  name: '  Ada Lovelace ',
  nickname: '阿達',
  biography: 'Numbers.\r\nAnd 🌙 poetry.\r\n',
  gender: 'female',
  birthdate: '1990-04-30',
  region: 'GB',
  locale: 'zh-TW',
}
const tidied = { ...whole, name: 'Ada Lovelace', biography: 'Numbers.\nAnd 🌙 poetry.' }

describe.each(kinds)('the profile form on %s', (kind) => {
  const postern = sharePostern({ kind })
  const setUp = () => openAccount(postern)

  it('stores every field, trimmed, and records their names', async () => {
    const ada = await setUp()
    const answer = await ada.fill(answerProfile, whole)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/profile'])
    expect(await ada.flashOf(answer, 'profile')).toMatchObject({ done: 'saved', problems: [] })
    expect(await ada.stored()).toMatchObject({ ...tidied, profileUpdatedAt: postern.clock.now })
    expect((await ada.activity())[0]).toMatchObject({
      kind: 'profile_changed',
      detail: { fields: 'name nickname biography gender birthdate region locale' },
      address: '192.0.2.7',
    })
  })

  it('changes no field that the pages hide', async () => {
    const ada = await setUp()
    await ada.fill(answerProfile, whole)
    const hiding: typeof answerProfile = (context, request) =>
      answerProfile({ ...context, config: { ...context.config, profileFields: ['name', 'picture'] } }, request)
    await ada.fill(hiding, { name: 'Countess', nickname: 'hidden', birthdate: 'no date', gender: 'male' })
    expect(await ada.stored()).toMatchObject({ ...tidied, name: 'Countess' })
  })

  it('updates the time of change and the audit trail only when a field changed', async () => {
    const ada = await setUp()
    await ada.fill(answerProfile, whole)
    const [before, lines] = [await ada.stored(), (await ada.activity()).length]
    postern.later(60)
    expect(await ada.flashOf(await ada.fill(answerProfile, whole), 'profile')).toMatchObject({ done: 'unchanged' })
    expect((await ada.stored()).profileUpdatedAt).toEqual(before.profileUpdatedAt)
    expect(await ada.activity()).toHaveLength(lines)
  })

  it('records one change of eight concurrent forms', async () => {
    const ada = await setUp()
    const before = (await ada.activity()).length
    const nickname = `at once ${kind}`
    await Promise.all(Array.from({ length: 8 }, () => ada.fill(answerProfile, { ...whole, nickname })))
    expect((await ada.stored()).nickname).toBe(nickname)
    expect(await ada.activity()).toHaveLength(before + 1)
  })

  it('unsets empty fields', async () => {
    const ada = await setUp()
    const nothing = Object.fromEntries(Object.keys(whole).map((field) => [field, '']))
    await ada.fill(answerProfile, whole)
    await ada.fill(answerProfile, nothing)
    expect(await ada.stored()).toMatchObject(nothing)
  })
})

describe('an invalid profile', () => {
  const postern = sharePostern()

  it.each([
    ['name', 'x'.repeat(81), 'name_long'],
    ['name', 'Ada\u202eecila', 'name_characters'],
    ['name', 'Ada\u0007', 'name_characters'],
    ['nickname', '月'.repeat(81), 'nickname_long'],
    ['nickname', 'a\u2028b', 'nickname_characters'],
    ['biography', '月'.repeat(1001), 'biography_long'],
    ['biography', 'a\u2066b', 'biography_characters'],
    ['gender', 'none', 'choice'],
    ['birthdate', '1990-02-30', 'birthdate_unreal'],
    ['birthdate', '30.4.1990', 'birthdate_unreal'],
    ['birthdate', '0001-01-01', 'birthdate_unreal'],
    ['birthdate', '9999-12-31', 'birthdate_future'],
    ['region', 'Atlantis', 'choice'],
    ['region', 'gb', 'choice'],
    ['locale', 'tlh', 'choice'],
    ['locale', '__proto__', 'choice'],
  ])('rejects %s %j with %s beside the field, and keeps the typed text', async (field, value, code) => {
    const bob = await openAccount(postern, 'bob')
    const before = await bob.stored()
    const answer = await bob.fill(answerProfile, { ...whole, [field]: value })
    const flash = await bob.flashOf(answer, 'profile')
    expect(flash?.problems).toEqual([{ field, code }])
    expect(flash?.kept).toMatchObject({ ...tidied, [field]: value })
    expect(await bob.stored()).toEqual(before)
  })

  it('reports every problem at once', async () => {
    const bob = await openAccount(postern, 'bob')
    const answer = await bob.fill(answerProfile, { ...whole, name: 'x'.repeat(100), gender: '?', birthdate: 'never' })
    expect((await bob.flashOf(answer, 'profile'))?.problems.map(({ field }) => field)).toEqual([
      'name',
      'gender',
      'birthdate',
    ])
  })

  it('returns the longest text that a browser submits, in a cookie that browsers accept', async () => {
    const bob = await openAccount(postern, 'bob')
    const biography = Array.from({ length: 1000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(
      '',
    )
    const answer = await bob.fill(answerProfile, { ...whole, biography, birthdate: 'never' })
    expect(answer.headers.getSetCookie()[0]?.length).toBeLessThan(4096)
    expect((await bob.flashOf(answer, 'profile'))?.kept).toMatchObject({ ...tidied, biography, birthdate: 'never' })
  })

  it('reports the problem of a text that is too long to be kept', async () => {
    const bob = await openAccount(postern, 'bob')
    const biography = postern.context.random(20_000).toString('base64')
    const answer = await bob.fill(answerProfile, { ...whole, biography })
    expect(answer.headers.getSetCookie()[0]?.length).toBeLessThan(4096)
    const flash = await bob.flashOf(answer, 'profile')
    expect(flash?.problems).toEqual([{ field: 'biography', code: 'biography_long' }])
    expect(flash?.kept).toEqual({ ...tidied, biography: undefined })
  })

  it.each(['%00', 'a%00b', '%ff', '%ed%a0%80'])('rejects a form with the name %s', async (name) => {
    const bob = await openAccount(postern, 'bob')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await bob.post(answerProfile, `name=${name}`, type)
    expect(answer.headers.get('location')).toContain('/error?e=')
    expect((await bob.stored()).name).toBe('')
  })

  it('stores markup in a name as text', async () => {
    const bob = await openAccount(postern, 'bob')
    const name = '<script>alert(1)</script>{{7*7}}'
    await bob.fill(answerProfile, { ...whole, name })
    expect((await bob.stored()).name).toBe(name)
  })

  it.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
    'ignores a form of another site (%j)',
    async (headers) => {
      const bob = await openAccount(postern, 'bob')
      const before = await bob.stored()
      const answer = await bob.fill(answerProfile, { ...whole, name: 'Mallory' }, headers)
      expect(answer.headers.get('location')).toContain('/error?e=')
      expect(await bob.stored()).toEqual(before)
    },
  )

  it.each<Record<string, string>>([{}, { origin: 'null' }])(
    'requires the session token in a form without Sec-Fetch-Site and Origin (%j)',
    async (headers) => {
      const bob = await openAccount(postern, 'bob')
      const send = (session: string) => {
        const body = new URLSearchParams({ ...whole, name: `Sent with ${session}`, session })
        const sent = { method: 'POST', headers: { cookie: bob.cookie, ...headers }, body }
        return answerProfile(postern.context, new Request('http://localhost:3001/account/profile/submit', sent))
      }
      const before = await bob.stored()
      expect((await send('')).headers.get('location')).toContain('/error?e=')
      expect(await bob.stored()).toEqual(before)
      expect((await send(bob.publicId)).headers.get('location')).toBe('/account/profile')
    },
  )

  it('redirects to the sign-in page without a session, and back', async () => {
    const bob = await openAccount(postern, 'bob')
    const answer = await bob.fill(answerProfile, whole, { cookie: '' })
    expect(answer.headers.get('location')).toBe('/signin?to=%2Faccount%2Fprofile')
  })
})
