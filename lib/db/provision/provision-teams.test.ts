import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply } from '#lib/testing/databases/provision'

onBothDatabases('provisioning of teams', (open) => {
  it('keeps the look-alike mark of a team in step with its name', async () => {
    const database = await open()
    const skeletons = async () =>
      Object.fromEntries((await database.prisma.team.findMany()).map(({ id, skeleton }) => [id, skeleton]))
    await apply(database, { teams: [{ id: 'one', name: 'Garden' }] })
    expect(await skeletons()).toEqual({ one: 'garden' })
    // The operator may give two teams names that look alike; one of them has the mark.
    await apply(database, {
      teams: [
        { id: 'two', name: 'GARDEN' },
        { id: 'dots', name: '…' },
        { id: 'three', name: '...' },
      ],
    })
    expect(await skeletons()).toEqual({ one: 'garden', two: null, dots: null, three: null })
    await apply(database, { teams: [{ id: 'one', name: 'Orchard' }] })
    await apply(database, { teams: [{ id: 'two', name: 'The Garden' }] })
    expect(await skeletons()).toMatchObject({ one: 'orchard', two: 'thegarden' })
  })

  it('approves a team that a file creates, and for no other team unless the file says so', async () => {
    const database = await open()
    const { prisma } = database
    const trusted = async () =>
      Object.fromEntries((await prisma.team.findMany()).map((team) => [team.id, team.trusted]))
    const now = new Date()
    await prisma.team.create({ data: { id: 'theirs', name: 'Theirs', createdAt: now, updatedAt: now } })
    await apply(database, {
      teams: [
        { id: 'ours', name: 'Ours' },
        { id: 'agency', name: 'Agency', trusted: false },
        { id: 'theirs', name: 'Theirs' },
      ],
    })
    expect(await trusted()).toEqual({ ours: true, agency: false, theirs: false })
    await apply(database, { teams: [{ id: 'theirs', name: 'Theirs', trusted: true }] })
    await apply(database, { teams: [{ id: 'ours', name: 'Ours, renamed', trusted: false }] })
    expect(await trusted()).toEqual({ ours: false, agency: false, theirs: true })
    const acts = await prisma.teamAct.findMany({ where: { teamId: 'ours' }, orderBy: { position: 'asc' } })
    expect(new Set(acts.map(({ act }) => act))).toEqual(new Set(['team_created', 'team_renamed', 'team_untrusted']))
  })
})
