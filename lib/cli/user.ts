import { pictureName } from '../account/picture-name.ts'
import { makePeopleStore } from '../db/people-store.ts'
import { type Answer, type Command, Refusal } from './command.ts'
import { withDatabase } from './open.ts'
import { readPicture } from './read-picture.ts'
import { table } from './table.ts'

/** Commands about people. */
export const userCommands: Command[] = [
  {
    usage: 'user list',
    summary: 'List everybody with an account',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const people = await makePeopleStore(prisma).list()
        const rows = people.map((person) => [
          person.username,
          person.email ?? '',
          person.name,
          person.disabledAt ? 'disabled' : '',
        ])
        return { ok: true, value: people.map(wire), text: table(['username', 'e-mail', 'name', ''], rows) }
      }),
  },
  {
    usage: 'user disable USERNAME',
    summary: 'Close an account to its owner: sessions and tokens end at once',
    run: (call) => setDisabled(call, call.now),
  },
  {
    usage: 'user enable USERNAME',
    summary: 'Open it again',
    run: (call) => setDisabled(call, null),
  },
  {
    usage: 'user avatar USERNAME FILE',
    summary: 'Set a picture: PNG, JPEG or WebP, at most 5 MiB',
    run: (call) =>
      withDatabase(call, async ({ prisma }, config) => {
        const [username, file] = [fold(call.args[0]), call.args[1] ?? '']
        const picture = readPicture(file, 5 * 1_048_576)
        if ('problem' in picture) throw new Refusal(`The picture ${picture.problem}.`)
        const name = pictureName(picture.extension, call.random)
        const stored = { file: name, mediaType: picture.mediaType, bytes: picture.bytes }
        if (!(await makePeopleStore(prisma).setPicture(username, stored, call.now))) throw nobody(username)
        return {
          ok: true,
          value: { username, file: name },
          text: `${username} has a new picture: ${config.issuer}/avatars/${name}`,
        }
      }),
  },
]

function setDisabled(call: Parameters<Command['run']>[0], at: Date | null): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const username = fold(call.args[0])
    if (!(await makePeopleStore(prisma).setDisabled(username, at))) throw nobody(username)
    return {
      ok: true,
      value: { username, disabled: at !== null },
      text: `${username} is ${at ? 'disabled' : 'enabled'}.`,
    }
  })
}

const fold = (username = '') => username.toLowerCase()

const nobody = (username: string) =>
  new Refusal(`There is nobody with the username ${JSON.stringify(username)}. See: cli user list`)

function wire(person: Awaited<ReturnType<ReturnType<typeof makePeopleStore>['list']>>[number]) {
  const { hasPicture, createdAt, disabledAt, ...same } = person
  return { ...same, picture: hasPicture, created_at: createdAt, disabled_at: disabledAt }
}
