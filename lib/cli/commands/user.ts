import { type AvatarProblem, avatarLimits, makeAvatar, pictureName } from '#lib/account/profile/avatar'
import { readBytes } from '#lib/cli/apply/read-bytes'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { recorded } from '#lib/cli/recorded'
import { table } from '#lib/cli/table'
import { deletionStore } from '#lib/db/account/deletion-store'
import { makePeopleStore } from '#lib/db/account/people-store'
import { findPerson, unknownPerson } from './find-or-refuse.ts'
import { noteTeamsInNeed } from './team.ts'

/** Lists, disables and enables accounts, and sets their pictures. */
export const userCommands: Command[] = [
  {
    usage: 'user list',
    summary: 'List the accounts by username; user show has the rest',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const people = await makePeopleStore(prisma).list()
        const rows = people.map(({ username, disabledAt }) => [username, disabledAt ? 'disabled' : ''])
        const value = people.map(({ username, createdAt, disabledAt }) => ({
          username,
          created_at: createdAt,
          disabled_at: disabledAt,
        }))
        return { ok: true, value, text: table(['username', ''], rows) }
      }),
  },
  {
    usage: 'user disable USERNAME',
    summary: 'Close an account to its owner: sessions and tokens end at once',
    run: (call) => setDisabled(call, true),
  },
  {
    usage: 'user enable USERNAME',
    summary: 'Open a disabled account again',
    run: (call) => setDisabled(call, false),
  },
  {
    usage: 'user avatar USERNAME FILE',
    summary: 'Set a picture: PNG, JPEG, WebP, GIF or AVIF, at most 5 MiB; it becomes a square WebP',
    run: setAvatar,
  },
]

async function setAvatar(call: Call): Promise<Answer> {
  const [username, file] = [fold(call.args[0]), call.args[1] ?? '']
  const read = await readBytes(file, call)
  if ('problem' in read) throw new Refusal(`The picture ${read.problem}`)
  const made = await makeAvatar(read, undefined)
  if ('problem' in made) throw new Refusal(`The picture ${whyNoAvatar[made.problem]}.`)
  return withDatabase(call, async ({ prisma }, config) => {
    const name = pictureName('webp', call.random)
    const stored = { file: name, mediaType: 'image/webp', bytes: made.bytes }
    if (!(await makePeopleStore(prisma).setPicture(username, stored, recorded(call))))
      throw await unknownPerson(prisma, username)
    return {
      ok: true,
      value: { username, file: name },
      text: `${username} has a new picture: ${config.issuer}/avatars/${name}`,
    }
  })
}

const whyNoAvatar: Record<AvatarProblem, string> = {
  picture_empty: 'is empty',
  picture_large: `is larger than ${avatarLimits.bytes / 1_048_576} MiB`,
  picture_kind: 'is not a PNG, JPEG, WebP, GIF or AVIF picture',
  picture_pixels: `has more than ${avatarLimits.pixels / 1_000_000} million pixels`,
  picture_damaged: 'is damaged',
}

function setDisabled(call: Parameters<Command['run']>[0], isDisabled: boolean): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const username = fold(call.args[0])
    if (!(await makePeopleStore(prisma).setDisabled(username, isDisabled, recorded(call))))
      throw await unknownPerson(prisma, username)
    if (isDisabled) await noteTeamsInNeed(call, deletionStore(prisma), await findPerson(prisma, call))
    return {
      ok: true,
      value: { username, disabled: isDisabled },
      text: `${username} is ${isDisabled ? 'disabled' : 'enabled'}.`,
    }
  })
}

const fold = (username = '') => username.toLowerCase()
