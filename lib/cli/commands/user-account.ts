import { setImmediate as nextTurn } from 'node:timers/promises'
import { graceDays } from '#lib/account/data/deletion'
import { undoDays } from '#lib/account/email/undo'
import { username as usernameRule } from '#lib/account/person/login-name'
import { email, profileFields } from '#lib/account/person/person-rules'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { describeRecord } from '#lib/cli/describe-record'
import { readServerKeys } from '#lib/cli/keys/server-keys'
import { withDatabase } from '#lib/cli/open'
import { recorded } from '#lib/cli/recorded'
import { deletionStore } from '#lib/db/account/deletion-store'
import { makePeopleStore } from '#lib/db/account/people-store'
import { keyStore } from '#lib/db/keys/key-store'
import { waitStore } from '#lib/db/limits/waits'
import { recordLook } from '#lib/db/operators/operator-acts'
import { deletionJournal } from '#lib/db/restore/deletion-journal'
import type { Config } from '#lib/server/settings/config'
import { makeOperatorLink } from '#lib/sign-in/recovery/operator-link'
import { throttleKeysOf } from '#lib/sign-in/throttle/keys-of-person'
import { type Report, readFields } from '#lib/text/read-fields'
import { findPerson, findPersonByName } from './find-or-refuse.ts'
import { sendLetter } from './send-letter.ts'
import { noteTeamsInNeed } from './team.ts'

/** Creates, shows and deletes one account. */
export const userAccountCommands: Command[] = [
  {
    usage: 'user create USERNAME',
    summary: 'Create an account and print a link with which the person chooses a password: once, within an hour',
    options: { email: { type: 'string' }, name: { type: 'string' }, locale: { type: 'string' } },
    run: create,
  },
  {
    usage: 'user show USERNAME',
    summary:
      'Show one account, by its username or verified address: sign-in methods, waits, and counts of sessions and apps; the person sees that you looked',
    run: show,
  },
  {
    usage: 'user delete USERNAME',
    summary: `Delete an account after ${graceDays} days, in which its owner can keep it; --now --yes deletes at once, --undo cancels`,
    options: { now: { type: 'boolean' }, yes: { type: 'boolean' }, undo: { type: 'boolean' } },
    run: remove,
  },
]

function create(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }, config) => {
    const person = { id: call.random(16).toString('base64url'), ...readPerson(call, config) }
    // Reads the keys first: without them there is no link, and without a link the person could not sign in to the new
    // account.
    const secrets = await readServerKeys(config, keyStore(prisma), call.now)
    const outcome = await makePeopleStore(prisma).create(person, recorded(call))
    if (outcome === 'username taken') throw new Refusal(`There is an account ${person.username} already.`)
    if (outcome === 'email taken') throw new Refusal('The address of --email belongs to another account.')
    if (outcome === 'email reserved')
      throw new Refusal(
        `The address of --email belonged to another account less than ${undoDays} days ago, which can take it back. Wait, or leave --email out.`,
      )
    const linked = { personId: person.id, passwordHash: undefined, removesSecondFactor: false }
    const link = await makeOperatorLink({ secrets, accountUrl: config.accountUrl, now: call.now }, linked)
    const { username } = person
    return {
      ok: true,
      value: { username, url: link.url, expires_at: link.expiresAt },
      text: `The account ${username} is created.`,
      secrets: [
        {
          title: `Give this link to ${username} alone, in a way you trust. It works once, until ${link.expiresAt.toISOString()} (another: cli user reset ${username}):`,
          value: link.url,
        },
      ],
    }
  })
}

/** Reads the person from the command line by the rules of the provisioning file. */
function readPerson({ args, flags }: Call, { relayDomain }: Config) {
  const problems: string[] = []
  const report: Report = (path, message) =>
    problems.push(path === 'username' ? `The username ${message}` : `--${path} ${message}`)
  const fields = {
    username: usernameRule,
    email: email(relayDomain).optional(),
    name: profileFields.name.optional(),
    locale: profileFields.locale.optional(),
  }
  const given = { username: args[0] ?? '', email: flags.email, name: flags.name, locale: flags.locale }
  const { username, email: address = null, name = '', locale = '' } = readFields(fields, given, '', report) ?? {}
  if (problems.length > 0 || !username) throw new Refusal(`${problems.join('. ')}.`)
  return { username, email: address, name, locale }
}

function show(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const person = await findPersonByName(prisma, call)
    const { id: personId, username, email: address } = person
    await prisma.$transaction((tx) => recordLook(tx, personId, '', call.now))
    const keys = throttleKeysOf({ personId, username, email: address ?? undefined })
    const value = {
      username,
      name: person.name,
      email: address,
      locale: person.locale,
      picture: person.hasPicture,
      created_at: person.createdAt,
      disabled_at: person.disabledAt,
      delete_after: person.deleteAfter,
      password: person.passwordHash !== undefined,
      authenticator_since: person.authenticatorSince,
      passkeys: person.passkeys,
      recovery_codes_left: person.recoveryCodesLeft,
      sessions: person.sessions,
      last_seen_at: person.lastSeenAt,
      apps: person.apps,
      waits_until: (await waitStore(prisma).longest(keys, call.now)) ?? null,
    }
    return { ok: true, value, text: describeRecord(value) }
  })
}

function remove(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }, config) => {
    const { now, yes, undo } = call.flags
    if (undo && now) throw new Refusal('--undo and --now exclude each other.')
    const person = await findPerson(prisma, call)
    const { id, username, locale } = person
    const owner = { to: person.email ?? undefined, username, locale }
    const store = deletionStore(prisma, undefined, deletionJournal(config.deletionJournal))
    if (undo) {
      if (!(await store.keep(id, call.now, recorded(call))))
        throw new Refusal(`${username} is not being deleted, or it is too late.`)
      await sendLetter(call, { config, prisma }, owner.to, ({ deletionUndone }) => deletionUndone(owner))
      return { ok: true, value: { username, delete_after: null }, text: `${username} stays.` }
    }
    await noteTeamsInNeed(call, store, person)
    if (now) {
      if (!yes)
        throw new Refusal(
          `This deletes ${username} for good, without ${graceDays} days of grace. If that is meant, add --yes.`,
        )
      await store.askNow(id, recorded(call))
      while (!(await store.erase(id, call.now, batch))) await nextTurn()
      return { ok: true, value: { username, deleted: true }, text: `${username} is deleted.` }
    }
    const until = person.deleteAfter ?? new Date(call.now.getTime() + graceDays * 86_400_000)
    const request = { keepSession: '', now: call.now, deleteAfter: until, byOperator: recorded(call) }
    if ((await store.ask(id, request)) === 'asked')
      await sendLetter(call, { config, prisma }, owner.to, ({ deletionByOperator }) =>
        deletionByOperator({ ...owner, until }),
      )
    const text = `${username} is deleted on ${until.toISOString()}. Until then: cli user delete ${username} --undo`
    return { ok: true, value: { username, delete_after: until }, text }
  })
}

const batch = 500
