import { z } from 'zod'
import { at, type Report, readFields, reportDuplicates } from '#lib/text/read-fields'
import { type ApiRules, type DeclaredApi, readApi } from './api-rules.ts'
import { displayName, identifier } from './app-fields.ts'
import { type DeclaredApp, readApp } from './app-rules.ts'

/** A team as a file declares it. */
export type DeclaredTeam = {
  path: string
  id: string
  name: string
  /** Whether the operator has approved the team; undefined if the file does not say. */
  trusted: boolean | undefined
  apps: DeclaredApp[]
  apis: DeclaredApi[]
}

/** Reads the `teams` of a provisioning file; reports every problem and returns the valid teams and apps (design §8). */
export function readTeams(input: unknown, rules: ApiRules, report: Report): DeclaredTeam[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) {
    report('teams', 'must be a list')
    return []
  }
  reportDuplicates(named(input, 'id', 'teams'), report)
  const apps = input.flatMap((team, index) => named(listOf(team, 'apps'), 'client_id', at('teams', index, 'apps')))
  reportDuplicates(apps, report)
  const apis = input.flatMap((team, index) => named(listOf(team, 'apis'), 'identifier', at('teams', index, 'apis')))
  reportDuplicates(apis, report)
  return input.map((team, index) => readTeam(team, at('teams', index), rules, report)).filter((team) => team !== null)
}

const teamFields = {
  id: identifier,
  name: displayName,
  trusted: z.boolean({ error: 'must be true or false' }).optional(),
  apps: z.unknown().optional(),
  apis: z.unknown().optional(),
}

function readTeam(input: unknown, path: string, rules: ApiRules, report: Report): DeclaredTeam | null {
  const given = readFields(teamFields, input, path, report)
  if (!given) return null
  for (const name of ['apps', 'apis'] as const)
    if (given[name] !== undefined && !Array.isArray(given[name])) report(at(path, name), 'must be a list')
  const teamId = given.id ?? ''
  const apps = listOf(given, 'apps').map((app, index) => readApp(app, at(path, 'apps', index), teamId, rules, report))
  const apis = listOf(given, 'apis').map((api, index) => readApi(api, at(path, 'apis', index), teamId, rules, report))
  reportSharedScopes(apis, report)
  if (!given.id || !given.name) return null
  const isRead = <Declared>(one: Declared | null): one is Declared => one !== null
  const { id, name, trusted } = given
  return { path, id, name, trusted, apps: apps.filter(isRead), apis: apis.filter(isRead) }
}

/**
 * Reports a scope that several APIs of a team declare: a consent stores only the name of a scope, so the name must
 * identify one API.
 */
function reportSharedScopes(apis: (DeclaredApi | null)[], report: Report) {
  const scopes = apis.flatMap(
    (api) => api?.scopes.map((key, index) => ({ key, path: at(api.path, 'scopes', index) })) ?? [],
  )
  reportDuplicates(scopes, report)
}

function listOf(team: unknown, name: 'apps' | 'apis'): unknown[] {
  const list = (team as Record<string, unknown> | null)?.[name]
  return Array.isArray(list) ? list : []
}

function named(list: unknown[], field: string, path: string) {
  return list.flatMap((item, index) => {
    const key = (item as Record<string, unknown> | null)?.[field]
    return typeof key === 'string' ? [{ key, path: at(path, index, field) }] : []
  })
}
