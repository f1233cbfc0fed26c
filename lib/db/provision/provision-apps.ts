import type { DeclaredApp } from '#lib/apps/app-rules'
import { findApps, type KnownApp } from './known-app.ts'
import { planKeys, planSecret } from './provision-credentials.ts'
import { planMailDomains } from './provision-mail-domains.ts'
import {
  type Difference,
  differ,
  joinPlans,
  type Plan,
  type Tools,
  valuesOf,
  type Writer,
  waitingSince,
} from './provision-plan.ts'

/** Contents of the logo files by client_id. */
export type Logos = Map<string, Logo>
export type Logo = { file: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }

/** Plans the writes that register the declared apps. */
export async function planApps(reader: Writer, apps: DeclaredApp[], logos: Logos, tools: Tools): Promise<Plan> {
  const rows = await findApps(
    reader,
    apps.map((app) => app.clientId),
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  const plans: Partial<Plan>[] = []
  for (const app of apps) {
    const before = known.get(app.clientId)
    const logo = await newLogo(reader, before?.logoFile, logos.get(app.clientId))
    plans.push(before && before.teamId !== app.teamId ? refuseMove(app, before) : planApp(app, before, logo, tools))
  }
  return joinPlans(plans)
}

function refuseMove(app: DeclaredApp, before: KnownApp): Partial<Plan> {
  const message = `belongs to team ${before.teamId}; an app cannot move, since the sub of every person would change. Register a new app instead`
  return { problems: [{ path: `${app.path}.client_id`, message }] }
}

function planApp(app: DeclaredApp, before: KnownApp | undefined, logo: Logo | undefined, tools: Tools): Plan {
  const differences = differ(before ?? { registration: '{}', waitingScopes: '' }, {
    ...columnsOf(app, before),
    logoFile: logo?.file,
  })
  return joinPlans([
    { steps: differences.length > 0 ? [appStep(app, before, differences, logo, tools)] : [] },
    { notes: before && before.kind !== app.kind ? [kindNote(app, before)] : [] },
    planSecret(app, before, tools),
    planKeys(app, before, tools),
    planMailDomains(app, before, tools),
  ])
}

function kindNote(app: DeclaredApp, before: KnownApp): string {
  return `${app.path}.kind: ${app.clientId} changes from ${before.kind} to ${app.kind}, so it must authenticate in the new way`
}

/**
 * Returns the columns of an app; undefined marks a column that the file does not declare and that stays unchanged.
 */
function columnsOf(app: DeclaredApp, before: KnownApp | undefined) {
  return {
    name: app.name,
    kind: app.kind,
    profile: app.profile,
    redirectUris: JSON.stringify(app.redirectUris),
    scopes: app.scopes.join(' '),
    waitingScopes: app.waitingScopes.join(' '),
    requiredScopes: app.requiredScopes.join(' '),
    email: app.email,
    homepage: app.homepage,
    policyUri: app.policyUri,
    tosUri: app.tosUri,
    registration: mergeRegistration(before?.registration, app.registration),
  }
}

/** Returns the stored fields with the declared ones, in a fixed order so that equal fields are equal text. */
const mergeRegistration = (stored = '{}', declared: DeclaredApp['registration']): string =>
  JSON.stringify(Object.fromEntries(Object.entries({ ...JSON.parse(stored), ...declared }).sort()))

function appStep(
  app: DeclaredApp,
  before: KnownApp | undefined,
  differences: Difference[],
  logo: Logo | undefined,
  { now }: Tools,
) {
  const { clientId: id, teamId } = app
  const fields = differences.map(({ field }) => (field === 'logoFile' ? 'logo' : field))
  return {
    change: { op: before ? ('update' as const) : ('create' as const), kind: 'app' as const, id, fields },
    differences,
    async write(writer: Writer) {
      if (logo) await writer.picture.create({ data: { ...logo, createdAt: now } })
      if (before) {
        const data = { ...valuesOf(differences), waitingSince: waitingSince(app, before, now), updatedAt: now }
        await writer.app.update({ where: { id }, data })
        if (logo && before.logoFile) await writer.picture.deleteMany({ where: { file: before.logoFile } })
        return
      }
      const { homepage = '', policyUri = '', tosUri = '', ...said } = columnsOf(app, undefined)
      const since = waitingSince(app, undefined, now)
      const data = {
        ...said,
        homepage,
        policyUri,
        tosUri,
        id,
        teamId,
        waitingSince: since,
        logoFile: logo?.file ?? null,
      }
      await writer.app.create({ data: { ...data, createdAt: now, updatedAt: now } })
    },
  }
}

/** Returns the declared logo, unless the same picture is stored already. */
async function newLogo(
  reader: Writer,
  file: string | null | undefined,
  logo: Logo | undefined,
): Promise<Logo | undefined> {
  if (!logo || !file) return logo
  const stored = await reader.picture.findUnique({ where: { file } })
  return stored && Buffer.from(stored.bytes).equals(logo.bytes) ? undefined : logo
}
