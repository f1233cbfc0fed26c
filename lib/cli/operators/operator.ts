import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { findPerson } from '#lib/cli/commands/find-or-refuse'
import { withDatabase } from '#lib/cli/open'
import { recorded } from '#lib/cli/recorded'
import { table } from '#lib/cli/table'
import { operatorStore } from '#lib/db/operators/operator-store'
import { factorStore } from '#lib/db/sign-in/factor-store'

/** Commands for the people who may use the operators' pages (/admin). */
export const operatorCommands: Command[] = [
  {
    usage: 'operator list',
    summary: 'List the people who may use the pages of the operators',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const operators = await operatorStore(prisma).list()
        const value = operators.map(({ username, grantedAt }) => ({ username, granted_at: grantedAt }))
        const rows = operators.map(({ username, grantedAt }) => [username, grantedAt.toISOString()])
        return { ok: true, value, text: table(['username', 'since'], rows) }
      }),
  },
  {
    usage: 'operator add USERNAME',
    summary: 'Let a person use the pages of the operators at ACCOUNT_URL/admin; they need a passkey or a second factor',
    run: add,
  },
  {
    usage: 'operator remove USERNAME',
    summary: 'Take the role of an operator from a person; --last also from the only one who could act',
    options: { last: { type: 'boolean' } },
    run: remove,
  },
]

function add(call: Call): Promise<Answer> {
  return withDatabase(call, async (database, { accountUrl }) => {
    const { prisma } = database
    const { id, username, disabledAt } = await findPerson(prisma, call)
    if (disabledAt) throw new Refusal(`${username} is disabled. Enable the account first: cli user enable ${username}`)
    const isNew = await operatorStore(prisma).add(id, recorded(call))
    const { passkeys, totpSince } = await factorStore(database).ways(id)
    if (passkeys.length === 0 && !totpSince)
      call.say(`${username} has no second factor yet, and can open the pages after adding one on the security page.`)
    const text = `${username} is ${isNew ? 'now' : 'already'} an operator: ${accountUrl}/admin`
    return { ok: true, value: { username, operator: true }, text }
  })
}

function remove(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const { id, username } = await findPerson(prisma, call)
    const outcome = await operatorStore(prisma).remove(id, call.flags.last === true, recorded(call))
    if (outcome === 'last')
      throw new Refusal(
        `${username} is the only operator who can act. Add another one first (cli operator add USERNAME), or add --last.`,
      )
    const text = outcome === 'removed' ? `${username} is no operator any more.` : `${username} was no operator.`
    return { ok: true, value: { username, operator: false }, text }
  })
}
