import { z } from 'zod'
import { at, type Report, readFields, reportDuplicates } from '#lib/text/read-fields'
import { displayName, identifier } from './app-fields.ts'
import { type AppRules, type DeclaredApp, readApp } from './app-rules.ts'

/** A team as a file declares it. */
export type DeclaredTeam = { path: string; id: string; name: string; apps: DeclaredApp[] }

/** Reads the `teams` of a provisioning file; reports every problem and returns the valid teams and apps (design §8). */
export function readTeams(input: unknown, rules: AppRules, report: Report): DeclaredTeam[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) {
    report('teams', 'must be a list')
    return []
  }
  reportDuplicates(named(input, 'id', 'teams'), report)
  const apps = input.flatMap((team, index) => named(appsOf(team), 'client_id', at('teams', index, 'apps')))
  reportDuplicates(apps, report)
  return input.map((team, index) => readTeam(team, at('teams', index), rules, report)).filter((team) => team !== null)
}

const teamFields = { id: identifier, name: displayName, apps: z.unknown().optional() }

function readTeam(input: unknown, path: string, rules: AppRules, report: Report): DeclaredTeam | null {
  const given = readFields(teamFields, input, path, report)
  if (!given) return null
  if (given.apps !== undefined && !Array.isArray(given.apps)) report(at(path, 'apps'), 'must be a list')
  const apps = appsOf(given).map((app, index) => readApp(app, at(path, 'apps', index), given.id ?? '', rules, report))
  if (!given.id || !given.name) return null
  return { path, id: given.id, name: given.name, apps: apps.filter((app) => app !== null) }
}

function appsOf(team: unknown): unknown[] {
  const apps = (team as { apps?: unknown } | null)?.apps
  return Array.isArray(apps) ? apps : []
}

function named(list: unknown[], field: string, path: string) {
  return list.flatMap((item, index) => {
    const key = (item as Record<string, unknown> | null)?.[field]
    return typeof key === 'string' ? [{ key, path: at(path, index, field) }] : []
  })
}
