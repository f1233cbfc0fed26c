import { describe, expect, it } from 'vitest'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('the names of an offered app on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open', SERVICE_NAME: 'Gatekeeper' } })
  const prisma = () => postern.context.database.prisma
  const { member, app, offer, openOffer, accept } = openTransfers(postern)
  const appOf = (id: string) => prisma().app.findUniqueOrThrow({ where: { id } })

  /** Offers an app with these names to a new team, and lets an owner of that team accept it. */
  async function acceptWith(name: string, registration = {}, before = async () => undefined as unknown) {
    const unique = postern.context.random(4).toString('hex')
    const [from, to] = [`g-${unique}`, `r-${unique}`]
    const [giver, receiver, id] = [await member(from), await member(to), await app(from)]
    await prisma().app.update({ where: { id }, data: { name, registration: JSON.stringify(registration) } })
    await offer(giver, from, id, to)
    const open = await openOffer(id)
    await before()
    const result = await accept(receiver, to, open)
    return { result, team: (await appOf(id)).teamId === to ? 'receiver' : 'giver', id, to, receiver, open }
  }

  it.each([
    ['mixed scripts', 'Gаrden', {}],
    ['a name of the service', 'Official Support', {}],
    ['the name of the service in another language', 'Garden', { 'name#ja': 'Gatekeeper サポート' }],
    ['mixed scripts in another language', 'Garden', { 'name#zh-TW': 'Gаrden' }],
    ['an address', 'Garden https://garden.example/', {}],
  ])('are refused with %s, and the app stays', async (_, name, registration) => {
    const { result, team } = await acceptWith(name, registration)
    expect([result, team]).toEqual(['offer_name', 'giver'])
  })

  it('are refused if they look like another verified team, until they are changed', async () => {
    const skeleton = { name: 'Acme Bank', skeleton: 'acmebank', trusted: true }
    const now = postern.context.now()
    await prisma().team.create({ data: { id: 'bank', ...skeleton, createdAt: now, updatedAt: now } })
    const { result, team, id, to, receiver, open } = await acceptWith('Garden', { 'name#en': 'ACME BANK' })
    expect([result, team]).toEqual(['offer_name', 'giver'])
    await prisma().app.update({ where: { id }, data: { registration: '{}' } })
    expect(await accept(receiver, to, open)).toBe('app_received')
  })

  it('are not refused for a team that the operator has approved', async () => {
    const unique = postern.context.random(4).toString('hex')
    const [giver, receiver, id] = [await member(`g-${unique}`), await member(`r-${unique}`), await app(`g-${unique}`)]
    await prisma().app.update({ where: { id }, data: { name: 'Official Support' } })
    await prisma().team.update({ where: { id: `r-${unique}` }, data: { trusted: true } })
    await offer(giver, `g-${unique}`, id, `r-${unique}`)
    expect(await accept(receiver, `r-${unique}`, await openOffer(id))).toBe('app_received')
  })

  it('cannot change between their check and the acceptance', async () => {
    const unique = postern.context.random(4).toString('hex')
    const [giver, receiver, id] = [await member(`g-${unique}`), await member(`r-${unique}`), await app(`g-${unique}`)]
    await offer(giver, `g-${unique}`, id, `r-${unique}`)
    const open = await openOffer(id)
    const { teamApps } = postern.context
    const find = async (appId: string) => {
      const found = await teamApps.find(appId)
      const updatedAt = new Date(Date.parse(found?.version ?? '') + 1)
      await prisma().app.update({ where: { id }, data: { name: 'Official Support', updatedAt } })
      return found
    }
    postern.context.teamApps = { ...teamApps, find }
    const result = await accept(receiver, `r-${unique}`, open)
    postern.context.teamApps = teamApps
    expect([result, (await appOf(id)).teamId]).toEqual(['offer_changed', `g-${unique}`])
  })
})
