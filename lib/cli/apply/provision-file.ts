import { resolve } from 'node:path'
import { z } from 'zod'
import { readPeople } from '#lib/account/person/people-file'
import { pictureName } from '#lib/account/profile/avatar'
import type { DeclaredApp } from '#lib/apps/app-rules'
import { readTeams } from '#lib/apps/teams-file'
import type { Wanted } from '#lib/db/provision/provision'
import type { Logos } from '#lib/db/provision/provision-apps'
import { knownScopes } from '#lib/oauth/scope'
import type { Config } from '#lib/server/settings/config'
import { at, type Problem, type Report, readFields } from '#lib/text/read-fields'
import { readPicture } from './read-picture.ts'

const file = { teams: z.unknown().optional(), people: z.unknown().optional() }
const largestLogo = 1_048_576

/**
 * Reads a provisioning file. Returns its valid part and every problem. Logo paths are relative to `folder` (design
 * §8).
 */
export function readProvisionFile(
  input: unknown,
  folder: string,
  config: Pick<Config, 'evaluation' | 'issuer' | 'relayDomain'>,
  random: (bytes: number) => Buffer,
): { wanted: Wanted; problems: Problem[] } {
  const problems: Problem[] = []
  const report: Report = (path, message) => problems.push({ path, message })
  const given = readFields(file, input, '', report) ?? {}
  const rules = { issuer: config.issuer, issuerIsLoopback: config.evaluation, knownScopes }
  const teams = readTeams(given.teams, rules, report)
  const people = readPeople(given.people, config.relayDomain, report)
  const logos = readLogos(
    teams.flatMap((team) => team.apps),
    folder,
    random,
    report,
  )
  return { wanted: { teams, people, logos }, problems }
}

function readLogos(apps: DeclaredApp[], folder: string, random: (bytes: number) => Buffer, report: Report): Logos {
  const logos: Logos = new Map()
  for (const { logo, clientId, path } of apps) {
    if (logo === undefined) continue
    const picture = readPicture(resolve(folder, logo), largestLogo)
    if ('problem' in picture) report(at(path, 'logo'), picture.problem)
    else
      logos.set(clientId, {
        file: pictureName(picture.extension, random),
        mediaType: picture.mediaType,
        bytes: picture.bytes,
      })
  }
  return logos
}
