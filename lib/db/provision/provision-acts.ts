import type { DeclaredApp } from '#lib/apps/app-rules'
import type { DeclaredTeam } from '#lib/apps/teams-file'
import type { ActKind } from '#lib/console/audit/act'
import { writeAct } from '#lib/db/console/act-store'
import { changesOf } from '#lib/db/console/app-changes'
import { apiChangesOf } from '#lib/db/team-apis/api-changes'
import type { Plan, Step, Tools, Writer } from './provision-plan.ts'

/** Writes an act of the operator for each app and each API that a plan changes, into the audit trail of its team. */
export async function writeTeamActs(writer: Writer, teams: DeclaredTeam[], plan: Plan, tools: Tools) {
  const [apps, apis] = [teams.flatMap((team) => team.apps), teams.flatMap((team) => team.apis)]
  await writeAppActs(writer, apps, plan, tools)
  for (const { identifier, teamId, name } of apis) {
    const steps = plan.steps.filter(({ change }) => change.kind === 'api' && change.id === identifier)
    for (const step of steps)
      await writeAct(writer, teamId, {
        id: tools.random(16).toString('base64url'),
        at: tools.now,
        actor: '',
        kind: step.change.op === 'create' ? 'api_registered' : 'api_changed',
        target: identifier,
        targetName: name,
        ...apiChangesOf({ steps: [step] }),
      })
  }
}

async function writeAppActs(writer: Writer, apps: DeclaredApp[], { steps }: Plan, { now, random }: Tools) {
  // A key or a domain has the id APP/NAME, and no client_id contains a slash.
  const byApp = Map.groupBy(steps, ({ change }) => (ofApps.has(change.kind) ? change.id.split('/')[0] : undefined))
  for (const { clientId, teamId } of apps) {
    const own = byApp.get(clientId)
    if (!own) continue
    const { before, after } = changesOf({ steps: own })
    const domains = own.flatMap(({ change }) => (change.kind === 'domain' ? [change.id.split('/')[1]] : []))
    await writeAct(writer, teamId, {
      id: random(16).toString('base64url'),
      at: now,
      actor: '',
      kind: kindOf(own),
      target: clientId,
      before,
      after: { ...after, ...(domains.length > 0 && { mail_domains: domains.join(' ') }) },
    })
  }
}

const ofApps: ReadonlySet<string> = new Set(['app', 'secret', 'key', 'domain'])

function kindOf(steps: Step[]): ActKind {
  const whole = steps.find(({ change }) => change.kind === 'app')
  if (whole) return whole.change.op === 'create' ? 'app_registered' : 'app_changed'
  const kinds = new Set(steps.map(({ change }) => change.kind))
  if (kinds.size > 1) return 'app_changed'
  return kinds.has('secret') ? 'secret_added' : kinds.has('key') ? 'key_added' : 'app_changed'
}
