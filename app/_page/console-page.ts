import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type Action, mayDo } from '#lib/console/roles'
import { readAccountPage } from './account-page.ts'
import { pathHere } from './page-context.ts'
import { readVisitor } from './visitor.ts'

/** The parameters of a page below /console/teams/[team]. */
export type TeamParams = Promise<{ team: string }>

/** Returns the teams of the visitor; cached for one rendering. */
export const readOwnTeams = cache(async () => {
  const { context, current } = await readVisitor()
  return current ? context.teams.listTeams(current.person.id) : []
})

/** Returns a team and the visitor's role in it; undefined for a stranger. Cached for one rendering. */
export const readOwnTeam = cache(async (teamId: string) => {
  const { context, current } = await readVisitor()
  return current ? context.teams.findTeam(teamId, current.person.id) : undefined
})

/** Returns whether the visitor can use the console: unless the operator alone creates teams, or with a team. */
export async function isConsoleOpen(): Promise<boolean> {
  const { context } = await readVisitor()
  return context.config.teams !== 'off' || (await readOwnTeams()).length > 0
}

/** Returns the data of a page of the console; redirects to the sign-in page, or answers 404 while the console is closed. */
export async function readConsolePage(options: { fresh?: boolean } = {}) {
  const page = await readAccountPage(await pathHere(), options)
  if (!(await isConsoleOpen())) notFound()
  return page
}

/**
 * Returns the data of a page about a team, the team, and the permissions of the person's role. Answers 404 to a stranger
 * and to a role that may not do `action`.
 */
export async function readTeamPage(
  params: TeamParams,
  { action = 'team.read', ...options }: { action?: Action; fresh?: boolean } = {},
) {
  const page = await readAccountPage(await pathHere(), options)
  const team = await readOwnTeam(decodeURIComponent((await params).team))
  if (!team || !mayDo(team.role, action)) notFound()
  return { ...page, team, may: (one: Action) => mayDo(team.role, one) }
}

/** Returns the title of a page about a team; without the team's name for a stranger. */
export async function teamTitle(params: TeamParams, title: string): Promise<string> {
  const team = await readOwnTeam(decodeURIComponent((await params).team))
  return team ? `${title} · ${team.name}` : title
}
