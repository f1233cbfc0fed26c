import { namesTag, tagsIn } from '#lib/console/api/if-match'
import { ApiProblem } from '#lib/console/api/problem'
import type { TeamApp } from '#lib/console/app/store'
import type { ConsoleContext } from '#lib/console/context'
import { shownAct } from './team.ts'

/** Returns the ETag of an app. */
const etagOf = ({ version }: Pick<TeamApp, 'version'>) => `"${version}"`

/** Returns an app as the API shows it: its declaration, its state, and its credentials without secrets. */
const shownApp = (app: TeamApp, { issuer }: { issuer: string }) => {
  const { jwks: _, ...declaration } = app.declaration
  return {
    ...declaration,
    client_id: app.id,
    waiting_scopes: app.waitingScopes,
    logo_uri: app.logoFile === null ? null : `${issuer}/avatars/${app.logoFile}`,
    etag: etagOf(app),
    created_at: app.createdAt,
    disabled_at: app.disabledAt,
    disabled_by: app.disabledBy,
    remove_after: app.removeAfter,
    secrets: app.secrets.map(({ id, createdAt, expiresAt, lastUsedAt }) => ({
      id,
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_at: lastUsedAt,
    })),
    keys: app.keys.map(({ kid, createdAt, lastUsedAt }) => ({ kid, created_at: createdAt, last_used_at: lastUsedAt })),
  }
}

/** An app of a team. */
type OwnApp = Pick<TeamApp, 'id' | 'teamId'>

/** Reads an app again. The app may have gone to another team since the request began: its former team reads nothing. */
async function present({ teamApps }: ConsoleContext, { id, teamId }: OwnApp): Promise<TeamApp> {
  const app = await teamApps.find(id)
  if (app?.teamId !== teamId) throw new ApiProblem(404, 'app_unknown', 'This app no longer exists.')
  return app
}

/** Returns the answer with the present state of an app. */
export async function answerApp(context: ConsoleContext, own: OwnApp, more: object = {}) {
  const app = await present(context, own)
  return { body: { ...shownApp(app, context.config), ...more }, headers: { etag: etagOf(app) } }
}

/**
 * Returns the version that a change replaces. Refuses one that the app no longer has with 412: the answer has the present
 * app, and what other editors changed since (RFC 9110 §13.1.1).
 */
export async function versionToReplace(context: ConsoleContext, app: TeamApp, request: Request): Promise<string> {
  if (namesTag(request, etagOf(app))) return app.version
  throw await staleApp(context, app, tagsIn(request)[0] ?? '')
}

/** Returns the refusal of the later of two editors. */
export async function staleApp(context: ConsoleContext, own: OwnApp, tag: string): Promise<ApiProblem> {
  const app = await present(context, own)
  const read = Date.parse(tag.replaceAll('"', ''))
  const acts = Number.isNaN(read) ? [] : await context.acts.list(app.teamId, undefined, 100)
  const changes = acts.filter(({ target, at }) => target === app.id && at.getTime() > read).map(shownAct)
  const detail = 'Another editor changed this app after you read it. Read it again, then repeat your change.'
  const members = { changes, current: shownApp(app, context.config) }
  return new ApiProblem(412, 'app_stale', detail, { members, headers: { etag: etagOf(app) } })
}
