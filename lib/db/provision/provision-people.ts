import type { DeclaredPerson } from '#lib/account/person/people-file'
import { findReserved, refuseReserved } from '#lib/db/email/previous-address'
import { recordAct } from '#lib/db/operators/operator-acts'
import { differ, joinPlans, type Plan, type Tools, valuesOf, type Writer } from './provision-plan.ts'

/**
 * Plans the writes that create or update the declared people. Password and e-mail are only set on creation (design
 * §8).
 */
export async function planPeople(reader: Writer, people: DeclaredPerson[], tools: Tools): Promise<Plan> {
  const rows = await reader.person.findMany({ where: { username: { in: people.map((person) => person.username) } } })
  const known = new Map(rows.map((row) => [row.username, row]))
  const emails = people.flatMap((person) => person.email ?? [])
  const bound = await reader.person.findMany({ where: { email: { in: emails } }, select: { email: true } })
  const taken = new Set(bound.map((row) => row.email))
  const reserved = new Set(await findReserved(reader, emails, { personId: '', now: tools.now }))
  return joinPlans(
    people.map((person) => {
      const before = known.get(person.username)
      return before ? planUpdate(person, before, tools) : planCreation(person, { taken, reserved }, tools)
    }),
  )
}

type Known = Awaited<ReturnType<Writer['person']['findMany']>>[number]

/** Addresses that other accounts have, or can take back. */
type Unavailable = { taken: Set<string | null>; reserved: Set<string> }

const unset = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }

function planCreation(person: DeclaredPerson, { taken, reserved }: Unavailable, tools: Tools): Partial<Plan> {
  const { path, username, password, email = null, profile } = person
  const { now, random, passwordHashes } = tools
  const missing = {
    path: `${path}.password`,
    message: `is missing: ${username} does not exist yet and needs one to sign in`,
  }
  const used = { path: `${path}.email`, message: 'belongs to another account' }
  const kept = { path: `${path}.email`, message: 'belonged to another account until lately, which can take it back' }
  const problems = [
    ...(password === undefined ? [missing] : []),
    ...(email !== null && taken.has(email) ? [used] : []),
    ...(email !== null && reserved.has(email) ? [kept] : []),
  ]
  if (problems.length > 0 || password === undefined) return { problems }
  const data = { ...unset, ...profile, username, email }
  const fields = ['username', 'password', ...(email === null ? [] : ['email']), ...Object.keys(profile)]
  return {
    passwords: [{ path, username, password, stored: undefined }],
    steps: [
      {
        change: { op: 'create', kind: 'person', id: username, fields },
        differences: [],
        async write(writer) {
          const passwordHash = passwordHashes.get(username)
          if (!passwordHash) throw new Error(`No password hash was made for ${username}.`)
          const id = random(16).toString('base64url')
          const times = { passwordSetAt: now, profileUpdatedAt: now, createdAt: now }
          await writer.person.create({ data: { ...data, id, passwordHash, ...times } })
          if (email !== null) await refuseReserved(writer, email, { personId: id, now })
          await recordAct(writer, id, 'created', byFile(tools))
        },
      },
    ],
  }
}

function planUpdate(
  { path, username, password, email, profile }: DeclaredPerson,
  before: Known,
  tools: Tools,
): Partial<Plan> {
  const differences = differ(before, profile)
  const fields = differences.map(({ field }) => field)
  const write = async (writer: Writer) => {
    await writer.person.update({ where: { username }, data: { ...valuesOf(differences), profileUpdatedAt: tools.now } })
    await recordAct(writer, before.id, 'profile_changed', byFile(tools))
  }
  const change = before.email === null ? 'bind' : 'change'
  const other = email !== undefined && email !== before.email
  return {
    steps:
      fields.length > 0 ? [{ change: { op: 'update', kind: 'person', id: username, fields }, differences, write }] : [],
    notes: other
      ? [`${path}.email: not applied; ${username} exists, and only ${username} can ${change} the address`]
      : [],
    passwords: password === undefined ? [] : [{ path, username, password, stored: before.passwordHash }],
  }
}

/** Returns the line of the operators' record for a change by a file. */
const byFile = ({ now, random }: Tools) => ({ id: random(16).toString('base64url'), at: now, actor: '', reason: '' })
