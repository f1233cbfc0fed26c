import { describe, expect, it } from 'vitest'
import { operatorAct } from '#lib/cli/operator-act'
import { answerOfferAcceptance } from '#lib/console/transfer/receive-app'
import { operatorApps } from '#lib/db/console/operator-apps'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('an offer of an app on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const prisma = () => postern.context.database.prisma
  const closeAsOperator = (id: string, isClosed: boolean) => {
    const act = operatorAct({ now: postern.context.now(), random: postern.context.random }, 'app_disabled')
    return operatorApps(prisma()).setDisabled(id, isClosed, act)
  }
  const { member, app, offer, openOffer, accept, withdraw, decline } = openTransfers(postern)
  const teamOf = async (id: string) => (await prisma().app.findUniqueOrThrow({ where: { id } })).teamId
  const kindsOf = async (team: string) =>
    (await postern.context.acts.list(team, undefined, 100)).map((act) => `${act.kind} by ${act.actor}`)

  it('gives an app to the team whose owner accepts it, and writes acts in both teams', async () => {
    const [giver, receiver, id] = [await member('g1'), await member('r1'), await app('g1')]
    expect(await offer(giver, 'g1', id, 'r1')).toBe('offered')
    expect(await postern.context.transfers.listReceived('r1', postern.context.now(), 5)).toMatchObject([
      { app: { id }, from: { id: 'g1' } },
    ])
    expect(await accept(receiver, 'r1', await openOffer(id))).toBe('app_received')
    expect(await teamOf(id)).toBe('r1')
    expect(await kindsOf('g1')).toEqual(['app_given by Team r1', `app_offered by ${giver.personId}`])
    expect(await kindsOf('r1')).toEqual([`app_received by ${receiver.personId}`])
    // Nothing of the giving team's page is left: the app of another team does not exist for it.
    expect(await offer(giver, 'g1', id, 'r1')).toBe('')
  })

  it('accepts once when eight owners accept at the same time', async () => {
    const [giver, receiver, id] = [await member('g2'), await member('r2'), await app('g2')]
    await offer(giver, 'g2', id, 'r2')
    const open = await openOffer(id)
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(receiver, 'r2', open)))
    expect(answers).toEqual(Array(8).fill('app_received'))
    expect(await kindsOf('r2')).toHaveLength(1)
    expect(await kindsOf('g2')).toHaveLength(2)
  })

  it('rejects an offer that was withdrawn, declined or is older than seven days', async () => {
    const [giver, receiver] = [await member('g3'), await member('r3')]
    const [first, second, third] = [await app('g3'), await app('g3'), await app('g3')]
    for (const id of [first, second, third]) await offer(giver, 'g3', id, 'r3')
    const [a, b, c] = [await openOffer(first), await openOffer(second), await openOffer(third)]
    expect([await withdraw(giver, 'g3', a), await decline(receiver, 'r3', b)]).toEqual([
      'offer_withdrawn',
      'offer_declined',
    ])
    expect([await accept(receiver, 'r3', a), await accept(receiver, 'r3', b)]).toEqual(['offer_over', 'offer_over'])
    expect((await kindsOf('g3')).filter((act) => act.startsWith('offer_'))).toEqual([
      'offer_declined by Team r3',
      `offer_withdrawn by ${giver.personId}`,
    ])
    postern.later(7 * 86_400)
    expect(await postern.context.transfers.accept({ id: c, toTeamId: 'r3' }, rules(), acts())).toBe('over')
    expect(await teamOf(third)).toBe('g3')
  })

  const versionOf = async (id: string) => (await postern.context.teamApps.find(id))?.version
  const rules = (version?: string) => ({
    most: 1000,
    version,
    mapUntil: new Date(postern.context.now().getTime() + 60 * 86_400_000),
  })
  const acts = () => {
    const one = (kindOf: 'app_given' | 'app_received') => ({
      id: postern.context.random(9).toString('hex'),
      at: postern.context.now(),
      actor: 'x',
      kind: kindOf,
      target: '',
      before: {},
      after: {},
    })
    return { giving: one('app_given'), receiving: one('app_received') }
  }

  it('rejects receivers that do not exist, the same team, and a second offer', async () => {
    const [giver, id] = [await member('g4'), await app('g4')]
    await member('r4')
    expect(await offer(giver, 'g4', id, '')).toBe('receiver_missing')
    expect(await offer(giver, 'g4', id, 'g4')).toBe('receiver_same')
    for (const to of ['nobody', '../r4', "'; --", 'x'.repeat(10_000)])
      expect(await offer(giver, 'g4', id, to)).toBe('receiver_unknown')
    const answers = await Promise.all(Array.from({ length: 8 }, () => offer(giver, 'g4', id, 'r4')))
    expect(answers.filter((answer) => answer === 'offered')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'offer_open')).toHaveLength(7)
  })

  it('stops a person after thirty offers in a day', async () => {
    const [giver, id] = [await member('g14'), await app('g14')]
    for (let n = 0; n < 30; n++) expect(await offer(giver, 'g14', id, `team-${n}`)).toBe('receiver_unknown')
    expect(await offer(giver, 'g14', id, 'team-31')).toBe('receiver_wait')
  })

  it('lets only owners offer and accept, and only after a recent sign-in', async () => {
    const [giver, receiver, id] = [await member('g5'), await member('r5'), await app('g5')]
    const [developer, other] = [await member('g5', 'developer'), await member('r5', 'developer')]
    expect(await offer(developer, 'g5', id, 'r5')).toBe('not_allowed')
    await offer(giver, 'g5', id, 'r5')
    const open = await openOffer(id)
    expect(await accept(other, 'r5', open)).toBe('not_allowed')
    // The offer is not for the team of this owner.
    expect(await accept(giver, 'g5', open)).toBe('offer_over')
    expect(await withdraw(receiver, 'r5', open)).toBe('offer_over')
    expect(await decline(giver, 'g5', open)).toBe('offer_declined')
    expect(await openOffer(id)).toBe(open)
    postern.later(3600)
    await accept(receiver, 'r5', open)
    await offer(giver, 'g5', await app('g5'), 'r5')
    expect([await teamOf(id), await prisma().appTransfer.count({ where: { toTeamId: 'r5' } })]).toEqual(['g5', 1])
  })

  it('moves no app that the operator closed or that is being deleted', async () => {
    const [giver, receiver] = [await member('g6'), await member('r6')]
    const [closed, deleted] = [await app('g6'), await app('g6')]
    for (const id of [closed, deleted]) await offer(giver, 'g6', id, 'r6')
    await closeAsOperator(closed, true)
    await prisma().app.update({ where: { id: deleted }, data: { removeAfter: new Date(Date.now() + 1e9) } })
    for (const id of [closed, deleted]) {
      expect(await accept(receiver, 'r6', await openOffer(id))).toBe('app_not_transferable')
      expect(await teamOf(id)).toBe('g6')
      await withdraw(giver, 'g6', await openOffer(id))
      expect(await offer(giver, 'g6', id, 'r6')).toBe('app_not_transferable')
    }
  })

  it('moves no app out of a team that the operator closes while an owner offers it, or into one', async () => {
    const [giver, receiver, id, other] = [await member('g16'), await member('r16'), await app('g16'), await app('g16')]
    // The operator leaves an app alone that its team has closed.
    for (const one of [id, other])
      await prisma().app.update({ where: { id: one }, data: { disabledAt: new Date(), disabledBy: 'team' } })
    const [now, act] = [postern.context.now(), acts().giving]
    const close = (team: string, closedAt: Date | null) =>
      prisma().team.update({ where: { id: team }, data: { closedAt } })
    const row = { id: 'late16', appId: id, fromTeamId: 'g16', toTeamId: 'r16', expiresAt: rules().mapUntil }
    await close('g16', now)
    expect(await postern.context.transfers.offer(row, 20, act)).toBe('not transferable')
    await close('g16', null)
    expect(await offer(giver, 'g16', other, 'r16')).toBe('offered')
    const open = { id: await openOffer(other), toTeamId: 'r16' }
    const seen = rules(await versionOf(other))
    await close('r16', now)
    expect(await postern.context.transfers.accept(open, seen, acts())).toBe('closed')
    const account = await receiver.fill(answerOfferAcceptance, { team: 'r16', offer: open.id, app: other })
    expect((await receiver.flashOf(account, 'offer'))?.problems).toEqual([{ code: 'team_closed' }])
    expect(account.headers.get('location')).toMatch(/\/console\/teams\/r16$/)
    await close('r16', null)
    await close('g16', now)
    expect(await postern.context.transfers.accept(open, seen, acts())).toBe('not transferable')
    await close('g16', null)
    expect(await accept(receiver, 'r16', open.id)).toBe('app_received')
  })

  it('moves no app to a team with as many apps as it may have', async () => {
    const [giver, id] = [await member('g7'), await app('g7')]
    await member('r7')
    await app('r7')
    await offer(giver, 'g7', id, 'r7')
    const open = { id: await openOffer(id), toTeamId: 'r7' }
    expect(await postern.context.transfers.accept(open, { ...rules(await versionOf(id)), most: 1 }, acts())).toBe(
      'enough',
    )
    expect([await teamOf(id), await openOffer(id)]).toEqual(['g7', open.id])
  })
})
