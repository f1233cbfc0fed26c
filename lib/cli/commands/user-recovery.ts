import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { readServerKeys } from '#lib/cli/keys/server-keys'
import { withDatabase } from '#lib/cli/open'
import { recorded } from '#lib/cli/recorded'
import { keyStore } from '#lib/db/keys/key-store'
import { waitStore } from '#lib/db/limits/waits'
import { recordAct } from '#lib/db/operators/operator-acts'
import { makeOperatorLink, operatorLinkMinutes } from '#lib/sign-in/recovery/operator-link'
import { throttleKeysOf } from '#lib/sign-in/throttle/keys-of-person'
import { findPerson } from './find-or-refuse.ts'
import { sendLetter } from './send-letter.ts'

/** Commands for a person who cannot sign in. */
export const userRecoveryCommands: Command[] = [
  {
    usage: 'user reset USERNAME',
    summary:
      'Print a link with which the person sets a new password: once, within an hour; --remove-second-factor also removes the authenticator app and the recovery codes',
    options: { 'remove-second-factor': { type: 'boolean' } },
    run: reset,
  },
  {
    usage: 'user unlock USERNAME',
    summary: 'End the waits after too many tries at the account; waits of a network stay',
    run: unlock,
  },
]

function reset(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }, config) => {
    const person = await findPerson(prisma, call)
    const { id: personId, username, passwordHash, locale } = person
    if (person.disabledAt)
      throw new Refusal(`${username} is disabled. Enable the account first: cli user enable ${username}`)
    if (person.deleteAfter && person.deleteAfter <= call.now) throw new Refusal(`${username} is being deleted.`)
    const removesSecondFactor = call.flags['remove-second-factor'] === true
    const secrets = await readServerKeys(config, keyStore(prisma), call.now)
    const from = { secrets, accountUrl: config.accountUrl, now: call.now }
    const link = await makeOperatorLink(from, { personId, passwordHash, removesSecondFactor })
    const detail: Record<string, string> = removesSecondFactor ? { second_factor: 'removed' } : {}
    await prisma.$transaction((tx) => recordAct(tx, personId, 'link_made', recorded(call), detail))
    const owner = { to: person.email ?? undefined, username, locale }
    await sendLetter(call, { config, prisma }, owner.to, ({ recoveryLink }) =>
      recoveryLink({ ...owner, minutes: operatorLinkMinutes }),
    )
    if (!removesSecondFactor && person.authenticatorSince)
      call.say(
        `${username} has an authenticator app: the link asks for its code, or for a recovery code. If both are lost, or not theirs: cli user reset ${username} --remove-second-factor`,
      )
    return {
      ok: true,
      value: { username, url: link.url, expires_at: link.expiresAt, removes_second_factor: removesSecondFactor },
      text: removesSecondFactor
        ? `The link sets a new password for ${username}, and removes the authenticator app and the recovery codes.`
        : `The link sets a new password for ${username}.`,
      secrets: [
        {
          title: `Give it to ${username} alone, in a way you trust. It works once, until ${link.expiresAt.toISOString()}:`,
          value: link.url,
        },
      ],
    }
  })
}

function unlock(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const { id, username, email } = await findPerson(prisma, call)
    const keys = throttleKeysOf({ personId: id, username, email: email ?? undefined })
    const ended = await prisma.$transaction(async (tx) => {
      await recordAct(tx, id, 'unlocked', recorded(call))
      return waitStore(tx).end(keys)
    })
    const text = ended > 0 ? `${username} no longer waits.` : `Nothing was counted against ${username}.`
    return { ok: true, value: { username, counters_removed: ended }, text }
  })
}
