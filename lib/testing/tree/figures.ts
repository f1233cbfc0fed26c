import { dirname } from 'node:path'
import { circles, isAllowed, roomOf, rooms } from './rooms.ts'
import { product } from './sources.ts'

const inLib = product.filter(({ file }) => file.startsWith('lib/'))

/**
 * Returns measures of the structure of lib/, by name. An arrow counts all imports from one room to another as one.
 */
export function structure(): Record<string, number> {
  const folders = Map.groupBy(inLib, ({ file }) => dirname(file))
  const sizes = [...folders.values()].map((files) => files.length)
  const crossing = inLib.flatMap(({ file, imports }) =>
    imports.filter(({ target }) => roomOf(target) && roomOf(target) !== roomOf(file)).map((one) => ({ file, ...one })),
  )
  const wholeContext = inLib.filter(
    ({ file, imports }) =>
      !/^lib\/(server|cli)\//.test(file) && imports.some(({ target }) => target === 'lib/server/compose/context.ts'),
  )
  return {
    'rooms of lib/': rooms.length,
    'product files of lib/': inLib.length,
    'files at the root of lib/': folders.get('lib')?.length ?? 0,
    'most files in one folder': Math.max(...sizes),
    'folders with more than 15 files': sizes.filter((size) => size > 15).length,
    'arrows between rooms': new Set(crossing.map(({ file, target }) => `${roomOf(file)} ${roomOf(target)}`)).size,
    'imports that the table forbids': crossing.filter((one) => !isAllowed(roomOf(one.file) ?? '', one)).length,
    'circles of files': circles().length,
    'files below server/ that import the whole Context': wholeContext.length,
  }
}
