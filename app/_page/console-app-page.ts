import { notFound } from 'next/navigation'
import { cache } from 'react'
import type { Action } from '#lib/console/roles'
import { readTeamPage } from './console-page.ts'
import { readVisitor } from './visitor.ts'

/** The parameters of a page below /console/teams/[team]/apps/[app]. */
export type AppParams = Promise<{ team: string; app: string }>

/** Returns an app of any team; cached for one rendering. */
const readApp = cache(async (appId: string) => (await readVisitor()).context.teamApps.find(appId))

/** Returns the data of a page about an app of a team; answers 404 for an app of another team. */
export async function readTeamApp(params: AppParams, options: { action?: Action } = {}) {
  const page = await readTeamPage(params, { action: 'app.read', ...options })
  const app = await readApp(decodeURIComponent((await params).app))
  if (app?.teamId !== page.team.id) notFound()
  return { ...page, app }
}

/** Returns the title of a page about an app; without the app's name for a stranger. */
export async function appTitle(params: AppParams, title: string): Promise<string> {
  const [{ team, app: id }, { context, current }] = await Promise.all([params, readVisitor()])
  const app = await readApp(decodeURIComponent(id))
  const isMember = app && current && app.teamId === decodeURIComponent(team)
  if (!isMember || !(await context.teams.findTeam(app.teamId, current.person.id))) return title
  return `${title} · ${app.name}`
}
