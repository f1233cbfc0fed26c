import { isDeepStrictEqual } from 'node:util'
import type { DeclaredPerson } from '#lib/account/person/people-file'
import type { DeclaredTeam } from '#lib/apps/teams-file'
import { AddressReserved } from '#lib/db/email/previous-address'
import { type Database, isUniqueConflict } from '#lib/db/engine/client'
import { writeTeamActs } from './provision-acts.ts'
import { planApis } from './provision-apis.ts'
import { type Logos, planApps } from './provision-apps.ts'
import { planPeople } from './provision-people.ts'
import { joinPlans, type Plan, type Tools, type Writer } from './provision-plan.ts'
import { planTeams } from './provision-teams.ts'

/** The declarations of a file, parsed and validated. */
export type Wanted = { teams: DeclaredTeam[]; people: DeclaredPerson[]; logos: Logos }

/** Thrown when the database changed between planning and writing; nothing was written. */
export class ChangedMeanwhile extends Error {}

/** Plans the difference between a file and the database: creations and updates, never a deletion (design §8). */
export async function planProvision(reader: Writer, wanted: Wanted, tools: Tools): Promise<Plan> {
  return joinPlans([
    await planTeams(reader, wanted.teams, tools),
    await planApis(
      reader,
      wanted.teams.flatMap((team) => team.apis),
      tools,
    ),
    await planApps(
      reader,
      wanted.teams.flatMap((team) => team.apps),
      wanted.logos,
      tools,
    ),
    await planPeople(reader, wanted.people, tools),
  ])
}

/** Writes a plan in one transaction and returns the generated secrets. Throws ChangedMeanwhile if the plan is out of date. */
export async function writeProvision(
  database: Database,
  wanted: Wanted,
  tools: Tools,
  expected: Plan,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  const write = async (writer: Writer) => {
    const plan = await planProvision(writer, wanted, tools)
    if (!isDeepStrictEqual(contentOf(plan), contentOf(expected))) throw new ChangedMeanwhile()
    for (const step of plan.steps) await step.write(writer, secrets)
    await writeTeamActs(writer, wanted.teams, plan, tools)
  }
  try {
    if (expected.steps.length > 0) await database.prisma.$transaction(write, { maxWait: 10_000, timeout: 120_000 })
  } catch (fault) {
    // Another transaction wrote the same unique value first, or gave up an address; PostgreSQL lets two transactions plan
    // at once.
    if (isUniqueConflict(fault) || fault instanceof AddressReserved) throw new ChangedMeanwhile()
    throw fault
  }
  return secrets
}

const contentOf = ({ steps, problems }: Plan) => ({ problems, changes: steps.map((step) => step.change) })
