import { describe, expect, test } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/process/databases'
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

  test('keeps every claim, tidied, tells so once, and the audit trail names the fields', async () => {
    const ada = await setUp()
    const answer = await ada.fill(answerProfile, whole)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account'])
    expect(await ada.told(answer, 'profile')).toMatchObject({ done: 'saved', problems: [] })
    expect(await ada.stored()).toMatchObject({ ...tidied, profileUpdatedAt: postern.clock.now })
    expect((await ada.activity())[0]).toMatchObject({
      kind: 'profile_changed',
      detail: { fields: 'name nickname biography gender birthdate region locale' },
      address: '192.0.2.7',
    })
  })

  test('moves the time of change and the audit trail only when something is different', async () => {
    const ada = await setUp()
    await ada.fill(answerProfile, whole)
    const [before, lines] = [await ada.stored(), (await ada.activity()).length]
    postern.later(60)
    expect(await ada.told(await ada.fill(answerProfile, whole), 'profile')).toMatchObject({ done: 'unchanged' })
    expect((await ada.stored()).profileUpdatedAt).toEqual(before.profileUpdatedAt)
    expect(await ada.activity()).toHaveLength(lines)
  })

  test('a form sent eight times at once changes something once', async () => {
    const ada = await setUp()
    const before = (await ada.activity()).length
    const nickname = `at once ${kind}`
    await Promise.all(Array.from({ length: 8 }, () => ada.fill(answerProfile, { ...whole, nickname })))
    expect((await ada.stored()).nickname).toBe(nickname)
    expect(await ada.activity()).toHaveLength(before + 1)
  })

  test('empty fields are unset again', async () => {
    const ada = await setUp()
    const nothing = Object.fromEntries(Object.keys(whole).map((field) => [field, '']))
    await ada.fill(answerProfile, whole)
    await ada.fill(answerProfile, nothing)
    expect(await ada.stored()).toMatchObject(nothing)
  })
})

describe('what cannot be kept', () => {
  const postern = sharePostern()

  test.each([
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
  ])('%s %j is %s, beside its field, and what was typed is kept', async (field, value, code) => {
    const bob = await openAccount(postern, 'bob')
    const before = await bob.stored()
    const answer = await bob.fill(answerProfile, { ...whole, [field]: value })
    const told = await bob.told(answer, 'profile')
    expect(told?.problems).toEqual([{ field, code }])
    expect(told?.kept).toMatchObject({ ...tidied, [field]: value })
    expect(await bob.stored()).toEqual(before)
  })

  test('every problem is told at once', async () => {
    const bob = await openAccount(postern, 'bob')
    const answer = await bob.fill(answerProfile, { ...whole, name: 'x'.repeat(100), gender: '?', birthdate: 'never' })
    expect((await bob.told(answer, 'profile'))?.problems.map(({ field }) => field)).toEqual([
      'name',
      'gender',
      'birthdate',
    ])
  })

  test('the longest text that a browser lets through comes back whole, in a cookie that browsers keep', async () => {
    const bob = await openAccount(postern, 'bob')
    const biography = Array.from({ length: 1000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(
      '',
    )
    const answer = await bob.fill(answerProfile, { ...whole, biography, birthdate: 'never' })
    expect(answer.headers.getSetCookie()[0]?.length).toBeLessThan(4096)
    expect((await bob.told(answer, 'profile'))?.kept).toMatchObject({ ...tidied, biography, birthdate: 'never' })
  })

  test('a text no browser would send is refused with its problem, though it is too long to be kept', async () => {
    const bob = await openAccount(postern, 'bob')
    const biography = postern.context.random(20_000).toString('base64')
    const answer = await bob.fill(answerProfile, { ...whole, biography })
    expect(answer.headers.getSetCookie()[0]?.length).toBeLessThan(4096)
    const told = await bob.told(answer, 'profile')
    expect(told?.problems).toEqual([{ field: 'biography', code: 'biography_long' }])
    expect(told?.kept).toEqual({ ...tidied, biography: undefined })
  })

  test.each(['%00', 'a%00b', '%ff', '%ed%a0%80'])('a name of %s is no form of ours', async (name) => {
    const bob = await openAccount(postern, 'bob')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await bob.post(answerProfile, `name=${name}`, type)
    expect(answer.headers.get('location')).toContain('/error?e=')
    expect((await bob.stored()).name).toBe('')
  })

  test('script in a name is text like any other', async () => {
    const bob = await openAccount(postern, 'bob')
    const name = '<script>alert(1)</script>{{7*7}}'
    await bob.fill(answerProfile, { ...whole, name })
    expect((await bob.stored()).name).toBe(name)
  })

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
    'a form of another site changes nothing (%j)',
    async (headers) => {
      const bob = await openAccount(postern, 'bob')
      const before = await bob.stored()
      const answer = await bob.fill(answerProfile, { ...whole, name: 'Mallory' }, headers)
      expect(answer.headers.get('location')).toContain('/error?e=')
      expect(await bob.stored()).toEqual(before)
    },
  )

  test.each<Record<string, string>>([{}, { origin: 'null' }])(
    'a form that says nothing of where it is from needs what only a page of ours knows (%j)',
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
      expect((await send(bob.publicId)).headers.get('location')).toBe('/account')
    },
  )

  test('who is not signed in signs in first and comes back', async () => {
    const bob = await openAccount(postern, 'bob')
    const answer = await bob.fill(answerProfile, whole, { cookie: '' })
    expect(answer.headers.get('location')).toBe('/signin?to=%2Faccount')
  })
})
