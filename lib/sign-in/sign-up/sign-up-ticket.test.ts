import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { invitationHash, makeInvitation } from '#lib/account/person/invitation'
import { readFlash } from '#lib/http/flash'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { makeTicket, openTicket } from './sign-up-ticket.ts'

const password = 'a gate of one’s own'

describe.each(kinds)('a repeated sign-up form on %s', (kind) => {
  const open = sharePostern({ kind, provision: flowProvision })
  const closed = sharePostern({ kind, provision: flowProvision, env: { SIGNUP: 'invite' } })

  async function setUp(postern = open) {
    const { prisma } = postern.context.database
    await prisma.attempt.deleteMany()
    await prisma.person.deleteMany({ where: { username: { notIn: ['ada', 'bob'] } } })
    const started = startFlow(postern)
    const { browser, context } = started
    const { request } = (await browser.authorize()).parameters
    const signUp = (fields: Record<string, string>) => browser.post('/signup/submit', { request, password, ...fields })
    const problems = async () => (await readFlash(context, browser.cookies(), 'signup'))?.problems
    return { ...started, signUp, problems }
  }

  it('makes one account and signs in to it, for two and for eight concurrent forms', async () => {
    const { browser, context, prisma, signUp } = await setUp()
    const ticket = makeTicket(context)
    const fields = { username: 'grace', ticket }
    const places = [placeOf(await signUp(fields)), placeOf(await signUp(fields))]
    expect(places).toEqual(['/consent', '/consent'])
    const other = { username: 'hopper', ticket: makeTicket(context) }
    const eight = await Promise.all(Array.from({ length: 8 }, () => signUp(other)))
    expect(new Set(eight.map(placeOf))).toEqual(new Set(['/consent']))
    expect(await prisma.person.count({ where: { username: { in: ['grace', 'hopper'] } } })).toBe(2)
    expect(await browser.shownSession()).toBeDefined()
  })

  it('reveals nothing about the account when the form was changed', async () => {
    const { context, problems, signUp } = await setUp()
    const ticket = makeTicket(context)
    await signUp({ username: 'grace', ticket })
    for (const changed of [{ password: `${password}!` }, { ticket: makeTicket(context) }, { ticket: 'made up' }]) {
      expect(placeOf(await signUp({ username: 'grace', ticket, ...changed }))).toBe('/signup')
      expect(await problems()).toEqual([{ field: 'username', code: 'username_taken' }])
    }
    expect(placeOf(await signUp({ username: 'ada', ticket }))).toBe('/signup')
  })

  it('does not sign in after an hour, or after a second factor was turned on', async () => {
    const { context, personId, signUp } = await setUp()
    const ticket = makeTicket(context)
    await signUp({ username: 'grace', ticket })
    await giveTotp(context, await personId('grace'))
    expect(placeOf(await signUp({ username: 'grace', ticket }))).toBe('/two-factor')
    const later = { ...context, now: () => new Date(context.now().getTime() + 3600_000) }
    expect(openTicket(later, ticket)).toBeUndefined()
  })

  it('uses up one invitation', async () => {
    const { context, signUp } = await setUp(closed)
    const code = makeInvitation(randomBytes)
    const expiresAt = new Date(context.now().getTime() + 60_000)
    await context.invitations.make(
      { hash: invitationHash(code), note: '', purpose: 'account', expiresAt },
      recordedAt(context.now()),
    )
    const fields = { username: 'grace', invitation: code, ticket: makeTicket(context) }
    const eight = await Promise.all(Array.from({ length: 8 }, () => signUp(fields)))
    expect(new Set(eight.map(placeOf))).toEqual(new Set(['/consent']))
  })
})
