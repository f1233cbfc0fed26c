import { expect, it } from 'vitest'
import { answerAppDeletion, answerAppState } from '#lib/console/app/app-state'
import { answerLogoRemoval } from '#lib/console/app/change-logo'
import { answerKeyRemoval, answerSecretAddition, answerSecretRemoval } from '#lib/console/app/credentials'
import { answerReceiver } from '#lib/console/events/receiver'
import { answerMailDomainAddition, answerMailDomainRemoval } from '#lib/console/mail/change-mail'
import { openTransfers } from '#lib/testing/console/transfers'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ env: { TEAMS: 'open' } })
const { member, app, offer, openOffer, accept } = openTransfers(postern)

type Handler = typeof answerSecretAddition

/** Moves the app after a handler has found that it belongs to the giving team, and before the handler writes. */
const duringTheMove =
  (handler: Handler, move: () => Promise<unknown>): Handler =>
  (context, request) => {
    const find = async (id: string) => {
      const found = await context.teamApps.find(id)
      await move()
      return found
    }
    return handler({ ...context, teamApps: { ...context.teamApps, find } }, request)
  }

it.each([
  ['a secret', answerSecretAddition, {}],
  ['the removal of a secret', answerSecretRemoval, {}],
  ['the removal of a key', answerKeyRemoval, { kid: 'old' }],
  ['the removal of a logo', answerLogoRemoval, {}],
  ['a closure', answerAppState, { state: 'disabled' }],
  ['an opening', answerAppState, { state: 'enabled' }],
  ['a deletion', answerAppDeletion, {}],
  ['a receiver of events', answerReceiver, { receiver: 'https://giver.example/events', header: 'none' }],
  ['a mail domain', answerMailDomainAddition, { domain: 'giver.example' }],
  ['the removal of a mail domain', answerMailDomainRemoval, { domain: 'old.example' }],
] as [string, Handler, Record<string, string>][])(
  'is not changed by %s that the giving team sent before the acceptance',
  async (_, handler, fields) => {
    const { prisma } = postern.context.database
    const unique = postern.context.random(4).toString('hex')
    const [from, to] = [`g-${unique}`, `r-${unique}`]
    const [giver, receiver, id] = [await member(from), await member(to), await app(from)]
    const createdAt = postern.context.now()
    await prisma.appSecret.create({ data: { id: `old-${id}`, appId: id, hash: 'x', createdAt } })
    await prisma.appKey.createMany({
      data: ['old', 'other'].map((kid) => ({ appId: id, kid, jwk: '{}', createdAt })),
    })
    await prisma.mailDomain.create({ data: { appId: id, domain: 'old.example', proof: 'x', createdAt } })
    await prisma.app.update({ where: { id }, data: { logoFile: 'logo.webp' } })
    await offer(giver, from, id, to)
    const offered = await openOffer(id)
    const { name } = await prisma.app.findUniqueOrThrow({ where: { id } })
    const state = () =>
      prisma.app.findUniqueOrThrow({
        where: { id },
        include: { secrets: true, keys: true, mailDomains: true, eventReceiver: true },
      })
    let moved: Awaited<ReturnType<typeof state>> | undefined
    const move = async () => {
      expect(await accept(receiver, to, offered)).toBe('app_received')
      moved = await state()
    }
    await giver.fill(duringTheMove(handler, move), {
      team: from,
      app: id,
      confirm: name,
      secret: `old-${id}`,
      ...fields,
    })
    expect(moved?.teamId).toBe(to)
    expect(await state()).toEqual(moved)
    expect(await postern.context.acts.list(to, undefined, 10)).toMatchObject([{ kind: 'app_received' }])
  },
)
