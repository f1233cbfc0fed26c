import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { setUpCommandLine } from '#lib/testing/process/command-line'

it('finds a deletion journal that cannot be written', async () => {
  const { save } = setUpCommandLine()
  const folder = dirname(save('', 'keep'))
  const examine = async (file: string) => {
    const { cli } = setUpCommandLine({ DELETION_JOURNAL: file })
    const { checks } = (await cli(['doctor'])).answer() as { checks: { name: string }[] }
    return checks.find(({ name }) => name === 'deletion journal')
  }
  expect(await examine(join(folder, 'none', 'deleted'))).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('cannot be written (ENOENT)'),
    fix: expect.stringContaining('ReadWritePaths'),
  })
  expect(await examine(join(folder, 'deleted'))).toMatchObject({ state: 'ok' })
  expect(await examine('')).toBeUndefined()
})
