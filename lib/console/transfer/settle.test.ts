import { describe, expect, it } from 'vitest'
import { operatorAct } from '#lib/cli/operator-act'
import { answerAppDeletion, answerAppKeep, answerAppState } from '#lib/console/app/app-state'
import { operatorApps } from '#lib/db/console/operator-apps'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { openAccount } from '#lib/testing/browser/account'
import { openTransfers, otherNode } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { approve, basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('the end of the authorizations of a transferred app on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const prisma = () => postern.context.database.prisma
  const closeAsOperator = (id: string, isClosed: boolean) => {
    const act = operatorAct({ now: postern.context.now(), random: postern.context.random }, 'app_disabled')
    return operatorApps(prisma()).setDisabled(id, isClosed, act)
  }
  const { person, member, app, offer, openOffer, accept, settle, move } = openTransfers(postern)
  /** Signs a person in after a transfer, in a process that has not cached the app. */
  const approveLater = async (clientId: string, username: string) => {
    const node = await otherNode(postern)
    await approve(node, { clientId, username })
    await node.close()
  }

  it('ends every token at the acceptance, and every authorization with the job', async () => {
    const [giver, receiver, id] = [await member('g8'), await member('r8'), await app('g8')]
    await prisma().appSecret.create({ data: { id: `s-${id}`, appId: id, hash: await hashOf(), createdAt: new Date() } })
    const credentials = basicAuth(id, secret)
    const exchange = (code: string) =>
      postern.token(
        { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier },
        credentials,
      )
    const tokens = await (await exchange(await postern.approve({ clientId: id }))).json()
    const code = await postern.approve({ clientId: id })
    await offer(giver, 'g8', id, 'r8')
    await accept(receiver, 'r8', await openOffer(id))
    expect((await postern.userinfo(tokens.access_token)).status).toBe(401)
    const refresh = () =>
      postern.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, credentials)
    expect((await (await refresh()).json()).error).toBe('invalid_grant')
    await settle()
    expect((await (await refresh()).json()).error).toBe('invalid_grant')
    expect((await (await exchange(code)).json()).error).toBe('invalid_grant')
    expect((await postern.userinfo(tokens.access_token)).status).toBe(401)
    expect(await prisma().consent.count({ where: { appId: id } })).toBe(0)
    expect(await prisma().app.findUniqueOrThrow({ where: { id } })).toMatchObject({
      disabledAt: null,
      disabledBy: null,
    })
  })
  const hashOf = async () => (await prisma().appSecret.findFirstOrThrow({ where: { appId: 'acme-web' } })).hash

  it('ends what else would give identifiers or power to the giving team: its receiver, its events, its token', async () => {
    const [giver, receiver, id] = [await member('g15'), await member('r15'), await app('g15')]
    const now = postern.context.now()
    const times = { createdAt: now, updatedAt: now }
    await prisma().eventReceiver.create({ data: { appId: id, teamId: 'g15', address: 'https://g.example/', ...times } })
    await prisma().managementToken.create({ data: { appId: id, hash: `hash-${id}`, createdAt: now } })
    const event = { appId: id, type: 'session-revoked', sub: 'old', claims: '{}', state: 'delivered', version: 0 }
    const due = { attempts: 0, nextAt: now, until: new Date(now.getTime() + 86_400_000), createdAt: now }
    await prisma().securityEvent.createMany({
      data: Array.from({ length: 30 }, (_, n) => ({ id: `${id}-${n}`, ...event, ...due })),
    })
    await offer(giver, 'g15', id, 'r15')
    await accept(receiver, 'r15', await openOffer(id))
    expect(await prisma().eventReceiver.count({ where: { appId: id } })).toBe(0)
    expect(await prisma().managementToken.count({ where: { appId: id } })).toBe(0)
    await settle()
    expect(await prisma().securityEvent.count({ where: { appId: id } })).toBe(0)
  })

  it('tells people, and gives the receiving team the map of those who authorized the app', async () => {
    const [giver, receiver, id] = [await member('g9'), await member('r9'), await app('g9')]
    const [now, past, stranger] = [await person('now9'), await person('past9'), await person('stranger9')]
    const [, other] = [await postern.approve({ clientId: id, username: now }), await app('g9')]
    await postern.approve({ clientId: id, username: past })
    await postern.context.consents.withdrawConsent(past, id, postern.context.now())
    await postern.approve({ clientId: other, username: stranger })
    expect(await move(giver, 'g9', receiver, 'r9', id)).toBe('app_received')
    const subOf = async (personId: string, team: string) => postern.context.consents.findSubject(personId, team)
    const arrival = await postern.context.transfers.findArrival(id, 'r9', postern.context.now())
    const map = await postern.context.transfers.readMap(arrival?.id ?? '', '', 10)
    const expected = await Promise.all(
      [now, past].map(async (one) => ({ old_sub: await subOf(one, 'g9'), new_sub: await subOf(one, 'r9') })),
    )
    expect(map.toSorted(byOld)).toEqual(expected.toSorted(byOld))
    expect(await subOf(stranger, 'r9')).toBeUndefined()
    expect(await postern.context.transfers.findArrival(id, 'g9', postern.context.now())).toBeUndefined()
    expect((await postern.context.activity.list(now, undefined, 1))[0]).toMatchObject({
      kind: 'app_moved',
      detail: { team: 'Team r9', from: 'Team g9' },
    })
    expect(await postern.context.activity.list(stranger, undefined, 10)).toEqual([])
    // The next consent gives the new sub.
    await approveLater(id, now)
    const row = await prisma().authorization.findFirstOrThrow({ where: { appId: id, personId: now, revokedAt: null } })
    expect(row.sub).toBe(await subOf(now, 'r9'))
  })
  const byOld = (one: { old_sub?: string | undefined }, two: { old_sub?: string | undefined }) =>
    String(one.old_sub).localeCompare(String(two.old_sub))

  it('never gives the identifiers of the first team to the third one', async () => {
    const [a, b, c, id] = [await member('a10'), await member('b10'), await member('c10'), await app('a10')]
    const [early, both] = [await person('early10'), await person('both10')]
    for (const username of [early, both]) await postern.approve({ clientId: id, username, emailChoice: 'hidden' })
    await postern.context.aliases.ensureAddress(early, id, postern.context.now())
    await move(a, 'a10', b, 'b10', id)
    await approveLater(id, both)
    await move(b, 'b10', c, 'c10', id)
    expect(await postern.context.transfers.findArrival(id, 'b10', postern.context.now())).toBeUndefined()
    const arrival = await postern.context.transfers.findArrival(id, 'c10', postern.context.now())
    const map = await postern.context.transfers.readMap(arrival?.id ?? '', '', 10)
    expect(map).toEqual([
      {
        old_sub: await postern.context.consents.findSubject(both, 'b10'),
        new_sub: await postern.context.consents.findSubject(both, 'c10'),
      },
    ])
    // The map of the earlier transfer is deleted.
    expect(await prisma().movedSubject.count({ where: { transfer: { appId: id } } })).toBe(1)
  })

  it('gives people back the sub that they had when an app returns to its first team', async () => {
    const [a, b, id] = [await member('a11'), await member('b11'), await app('a11')]
    const username = await person('back11')
    await postern.approve({ clientId: id, username })
    const before = await postern.context.consents.findSubject(username, 'a11')
    await move(a, 'a11', b, 'b11', id)
    await approveLater(id, username)
    await move(b, 'b11', a, 'a11', id)
    const arrival = await postern.context.transfers.findArrival(id, 'a11', postern.context.now())
    expect(await postern.context.transfers.readMap(arrival?.id ?? '', '', 10)).toMatchObject([{ new_sub: before }])
  })

  it('keeps the app closed that its team or the operator closed', async () => {
    const [giver, receiver] = [await member('g12'), await member('r12')]
    const [byTeam, byOperator, opened] = [await app('g12'), await app('g12'), await app('g12')]
    await prisma().app.update({ where: { id: byTeam }, data: { disabledAt: new Date(), disabledBy: 'team' } })
    for (const id of [byTeam, byOperator, opened]) {
      await offer(giver, 'g12', id, 'r12')
      await accept(receiver, 'r12', await openOffer(id))
    }
    await closeAsOperator(byOperator, true)
    await closeAsOperator(opened, true)
    // The operator may not open it before its authorizations have ended.
    await closeAsOperator(opened, false)
    expect((await prisma().app.findUniqueOrThrow({ where: { id: opened } })).disabledAt).not.toBeNull()
    await settle()
    const state = async (id: string) => (await prisma().app.findUniqueOrThrow({ where: { id } })).disabledBy
    expect([await state(byTeam), await state(byOperator), await state(opened)]).toEqual(['team', 'operator', null])
  })

  it('keeps the app closed that the receiving team closes while it arrives, until that team opens it', async () => {
    const [giver, receiver, id] = [await member('g17'), await member('r17'), await app('g17')]
    await offer(giver, 'g17', id, 'r17')
    await accept(receiver, 'r17', await openOffer(id))
    const set = async (state: string) => {
      const answer = await receiver.fill(answerAppState, { team: 'r17', app: id, state })
      const flash = await receiver.flashOf(answer, 'app')
      return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
    }
    postern.later(1)
    expect([await set('disabled'), await set('disabled'), await set('enabled')]).toEqual([
      'disabled',
      'disabled',
      'app_moving',
    ])
    const acts = async () => (await postern.context.acts.list('r17', undefined, 10)).map((act) => act.kind)
    expect(await acts()).toEqual(['app_disabled', 'app_received'])
    await settle()
    const state = async () => (await prisma().app.findUniqueOrThrow({ where: { id } })).disabledBy
    expect(await state()).toBe('team')
    expect([await set('enabled'), await state()]).toEqual(['enabled', null])
  })

  it('keeps the app closed that was closed before, also when its deletion is cancelled after the transfer', async () => {
    const [giver, receiver, id] = [await member('g18'), await member('r18'), await app('g18')]
    await prisma().app.update({ where: { id }, data: { disabledAt: new Date(), disabledBy: 'team' } })
    await offer(giver, 'g18', id, 'r18')
    await accept(receiver, 'r18', await openOffer(id))
    const { name } = await prisma().app.findUniqueOrThrow({ where: { id } })
    await receiver.fill(answerAppDeletion, { team: 'r18', app: id, confirm: name })
    await settle()
    const fresh = await openAccount(postern, receiver.personId)
    await fresh.fill(answerAppKeep, { team: 'r18', app: id })
    expect(await prisma().app.findUniqueOrThrow({ where: { id } })).toMatchObject({
      removeAfter: null,
      disabledBy: 'team',
    })
  })

  it('leaves no app open in a team that the operator closes at the same time', async () => {
    const [giver, receiver] = [await member('g19'), await member('r19')]
    const ids = await Promise.all(Array.from({ length: 6 }, () => app('g19')))
    for (const id of ids) {
      await offer(giver, 'g19', id, 'r19')
      await accept(receiver, 'r19', await openOffer(id))
    }
    postern.later(21)
    const { operatorTeams, settling, now } = postern.context
    const transfers = await settling.findUnsettled(now(), 100)
    // Each transfer ends with a batch that finds nobody.
    const ends = transfers.map((transfer) => settling.settleSome(transfer, now(), 100))
    await Promise.all([...ends, operatorTeams.setTeamClosed('r19', true, recordedAt(now()))])
    for (const transfer of transfers) while (await settling.settleSome(transfer, now(), 100));
    expect(await prisma().app.count({ where: { teamId: 'r19', disabledAt: null } })).toBe(0)
    expect(await prisma().app.count({ where: { teamId: 'r19' } })).toBe(6)
  })

  it('leaves out a person who was erased, and goes on after it was cut off', async () => {
    const [giver, receiver, id] = [await member('g13'), await member('r13'), await app('g13')]
    const people = await Promise.all(Array.from({ length: 25 }, (_, n) => person(`crowd13-${n}`)))
    for (const username of people) await postern.approve({ clientId: id, username })
    await offer(giver, 'g13', id, 'r13')
    await accept(receiver, 'r13', await openOffer(id))
    await prisma().person.delete({ where: { id: people[3] as string } })
    postern.later(21)
    const [transfer] = await postern.context.settling.findUnsettled(postern.context.now(), 10)
    if (!transfer) throw new Error('There is no transfer.')
    // One batch only, and eight processes at once, as if each had been stopped after it.
    const some = () => postern.context.settling.settleSome(transfer, postern.context.now(), 5)
    await some()
    await Promise.allSettled(Array.from({ length: 8 }, some))
    await prisma().person.delete({ where: { id: people[24] as string } })
    await settle()
    const map = await postern.context.transfers.readMap(transfer.id, '', 100)
    expect(map).toHaveLength(23)
    const told = await prisma().activity.count({ where: { kind: 'app_moved', personId: { in: people } } })
    expect(told).toBe(23)
    expect(await prisma().authorization.count({ where: { appId: id, revokedAt: null } })).toBe(0)
    expect(await prisma().consent.count({ where: { appId: id } })).toBe(0)
  })
})
