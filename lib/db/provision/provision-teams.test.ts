import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/process/databases'
import { apply } from '#lib/testing/process/provision'

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
})
