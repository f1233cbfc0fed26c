import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answerDeletion } from '#lib/account/data/delete-account'
import { answerDownload } from '#lib/account/data/download-data'
import { answerNewAddress } from '#lib/account/email/change-address'
import { answerNewAppEmail } from '#lib/account/hide-my-email/choose-new-app-email'
import { answerPictureUpload } from '#lib/account/profile/change-picture'
import { answerProfile } from '#lib/account/profile/change-profile'
import { answerSessionsOthers } from '#lib/account/sessions/end-sessions'
import { answerNewTeam } from '#lib/console/team/create-team'
import { readFlash } from '#lib/http/flash'
import type { Context } from '#lib/server/compose/context'
import { answerPasswordChange } from '#lib/sign-in/password/change-password'
import { answerCodesMake } from '#lib/sign-in/recovery-codes/make-codes'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { otherAccount } from './account-form.ts'

type Handler = (context: Context, request: Request) => Promise<Response>

const forms: [page: string, handler: Handler, fields: Record<string, string>][] = [
  ['/account/profile', answerProfile, { name: 'Mallory', biography: 'of the other account' }],
  ['/account/security/password', answerPasswordChange, { password: 'another gate, another key' }],
  ['/account/security/codes', answerCodesMake, {}],
  ['/account/email/change', answerNewAddress, { address: 'mallory@home.example' }],
  ['/account/hide-my-email', answerNewAppEmail, { choice: 'regular' }],
  ['/account/security', answerSessionsOthers, { apps: 'on' }],
  ['/account/data/delete', answerDeletion, { confirm: 'ada' }],
  ['/account/data', answerDownload, {}],
  ['/console/new-team', answerNewTeam, { name: 'The Garden' }],
]

describe.each(kinds)('a form of the account on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const setUp = async () => ({ ada: await openAccount(postern), bob: await openAccount(postern, 'bob') })
  const codesOf = (personId: string) => postern.context.database.prisma.recoveryCode.count({ where: { personId } })

  it.each(forms)('of %s that was shown to another account changes nothing', async (page, handler, fields) => {
    const { ada, bob } = await setUp()
    const before = [await ada.stored(), await codesOf(ada.personId), await ada.activity()]
    for (const session of [bob.publicId, 'garbage', 'x'.repeat(10_000)]) {
      const answer = await ada.fill(handler, { ...fields, session })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, page])
      expect(await ada.flashOf(answer, otherAccount)).toMatchObject({ problems: [{ code: 'other_account' }], kept: {} })
    }
    expect([await ada.stored(), await codesOf(ada.personId), await ada.activity()]).toEqual(before)
  })

  it('with a picture, shown to another account, changes nothing', async () => {
    const { ada, bob } = await setUp()
    const body = new FormData()
    body.set('session', bob.publicId)
    body.set('picture', new Blob(['no picture']), 'me.png')
    const answer = await ada.post(answerPictureUpload, body)
    expect(await ada.flashOf(answer, otherAccount)).toBeDefined()
  })

  it('shown to another account changes nothing 200 times at once', async () => {
    const { ada, bob } = await setUp()
    const before = await ada.stored()
    const forms = Array.from({ length: 200 }, () => ada.fill(answerProfile, { name: 'Mallory', session: bob.publicId }))
    expect(new Set((await Promise.all(forms)).map(({ status }) => status))).toEqual(new Set([303]))
    expect(await ada.stored()).toEqual(before)
  })

  it('counts in another session of the same person', async () => {
    const [{ ada }, earlier] = [await setUp(), await openAccount(postern)]
    const answer = await ada.fill(answerProfile, { name: 'Countess', session: earlier.publicId })
    expect(await ada.flashOf(answer, 'profile')).toMatchObject({ done: 'saved' })
    expect((await ada.stored()).name).toBe('Countess')
  })

  it('shows what was typed to no other account of the browser', async () => {
    const { ada, bob } = await setUp()
    const answer = await ada.fill(answerProfile, { name: 'x'.repeat(81), biography: 'a secret of Ada' })
    const lines = answer.headers.getSetCookie().map((line) => line.replace(/;.*/, ''))
    const shownTo = (person: string | undefined) =>
      readFlash(postern.context, lines.join('; '), 'profile', { page: '/account/profile', person })
    expect((await shownTo(ada.personId))?.kept.biography).toBe('a secret of Ada')
    expect(await shownTo(bob.personId)).toBeUndefined()
    expect(await shownTo(undefined)).toBeUndefined()
  })
})

it('names its session on every page', () => {
  const pages = globSync('app/{(account),(admin),(console)}/**/*.tsx')
  expect(pages.length).toBeGreaterThan(100)
  const count = (text: string, part: string) => text.split(part).length - 1
  const without = pages.filter((page) => {
    const text = readFileSync(page, 'utf8')
    return count(text, '<form method="post"') !== count(text, '<SessionToken')
  })
  expect(without).toEqual([])
})
