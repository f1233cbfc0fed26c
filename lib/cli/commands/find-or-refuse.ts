import { foldAddress } from '#lib/account/person/login-name'
import type { PersonDetails } from '#lib/account/person/people-store'
import type { AppRecord } from '#lib/apps/store'
import { type Call, Refusal } from '#lib/cli/command'
import { makePeopleStore } from '#lib/db/account/people-store'
import { makeAppStore } from '#lib/db/apps/app-store'
import type { Prisma } from '#lib/db/engine/client'
import { didYouMean } from '#lib/text/did-you-mean'

/** Returns the app with this client_id. For an unknown id, the refusal suggests the most similar one. */
export async function findApp(prisma: Prisma, id: string, now: Date): Promise<AppRecord> {
  const store = makeAppStore(prisma)
  const app = await store.find(id, now)
  if (app) return app
  throw new Refusal(`There is no app ${quote(id)}.${didYouMean(id, await store.ids())} See: cli app list`)
}

/**
 * Returns the person named by the command's first argument. For an unknown username, the refusal suggests the most
 * similar one.
 */
export async function findPerson(prisma: Prisma, { args, now }: Pick<Call, 'args' | 'now'>): Promise<PersonDetails> {
  const username = (args[0] ?? '').toLowerCase()
  const person = await makePeopleStore(prisma).find({ username }, now)
  if (person) return person
  throw await unknownPerson(prisma, username)
}

/** Returns the person named by a username or by a whole verified address. */
export async function findPersonByName(prisma: Prisma, call: Pick<Call, 'args' | 'now'>): Promise<PersonDetails> {
  const typed = (call.args[0] ?? '').trim()
  if (!typed.includes('@')) return findPerson(prisma, call)
  const person = await makePeopleStore(prisma).find({ email: foldAddress(typed) }, call.now)
  if (person) return person
  throw new Refusal('No account has this verified address.')
}

/** Returns the refusal for an unknown username, with the most similar one. */
export async function unknownPerson(prisma: Prisma, username: string): Promise<Refusal> {
  const hint = didYouMean(username, await makePeopleStore(prisma).names())
  return new Refusal(`There is no person with the username ${quote(username)}.${hint} See: cli user list`)
}

const quote = (name: string) => JSON.stringify(name.slice(0, 100))
