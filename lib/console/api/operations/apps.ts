import { z } from 'zod'
import { inUploadTurn } from '#lib/account/profile/answer-upload'
import { appFields } from '#lib/apps/app-fields'
import type { Acted, AppAuthor } from '#lib/console/acted'
import { appOf, type Call, operation } from '#lib/console/api/operation'
import { refusedAct } from '#lib/console/api/problem'
import { readPicture } from '#lib/console/api/read-input'
import { app, appInList, listOf, page } from '#lib/console/api/schemas'
import { deleteApp, keepApp, setAppState } from '#lib/console/app/app-state'
import { changeApp } from '#lib/console/app/change-app'
import { changeLogo, removeLogo } from '#lib/console/app/change-logo'
import { registerApp } from '#lib/console/app/register-app'
import type { ConsoleContext } from '#lib/console/context'
import { answerApp, staleApp, versionToReplace } from './app-view.ts'

/** The fields of a new app: the service makes the client_id and the secret. */
const newApp = z.strictObject(appFields).omit({ client_id: true, client_secret: true, logo: true, mail_domains: true })

/** The fields that a change may give. Keys have operations of their own. */
const { kind: _, jwks: __, jwks_uri: ___, ...changeable } = newApp.shape

/** Returns a field without the default that it has in a new app. */
const optional = <Field extends z.ZodType>(field: Field): z.ZodType =>
  (field instanceof z.ZodPrefault ? (field.unwrap() as z.ZodType) : field).optional()

const changes = z.strictObject(
  Object.fromEntries(Object.entries(changeable).map(([name, field]) => [name, optional(field)])) as {
    [Name in keyof typeof changeable]: z.ZodType
  },
)

/** The apps of the team. */
export const appOperations = [
  operation({
    id: 'listApps',
    method: 'GET',
    path: '/apps',
    action: 'app.read',
    summary: 'Lists the apps by client_id',
    query: page,
    answer: { status: 200, schema: listOf(appInList) },
    async run({ context, by, query: { after = '', limit } }) {
      const apps = await context.teams.listApps(by.team.id, after, limit + 1)
      const items = apps
        .slice(0, limit)
        .map(({ id, name, kind, isDisabled }) => ({ client_id: id, name, kind, disabled: isDisabled }))
      return { body: { items, next: apps.length > limit ? items.at(-1)?.client_id : null } }
    },
  }),
  operation({
    id: 'registerApp',
    method: 'POST',
    path: '/apps',
    action: 'app.register',
    summary: 'Registers an app; returns its client_secret once, if it has one',
    body: newApp,
    answer: { status: 201, schema: app.extend({ client_secret: z.string().optional() }) },
    async run({ context, by, body }) {
      const registered = await registerApp(context, by, body)
      if ('problems' in registered) throw refusedAct(registered.problems)
      const { id, secret } = registered
      return answerApp(context, { id, teamId: by.team.id }, secret ? { client_secret: secret } : {})
    },
  }),
  operation({
    id: 'getApp',
    method: 'GET',
    path: '/apps/{app}',
    action: 'app.read',
    summary: 'Returns an app, with the ETag that a change needs',
    answer: { status: 200, schema: app },
    run: async (call) => answerApp(call.context, (await appOf(call)).app),
  }),
  operation({
    id: 'changeApp',
    method: 'PATCH',
    path: '/apps/{app}',
    action: 'app.change',
    summary: 'Changes the given fields of an app; 412 with what changed, if another editor was faster',
    ifMatch: true,
    body: changes,
    answer: { status: 200, schema: app },
    async run(call) {
      const { context, request, body, permit } = call
      const by = await appOf(call)
      // How an app authenticates is a matter of its credentials, as in the console.
      if (body.token_endpoint_auth_method !== undefined) permit('app.credentials')
      const version = await versionToReplace(context, by.app, request)
      const changed = await changeApp(context, by, { declaration: { ...by.app.declaration, ...body }, version })
      if (!('problems' in changed)) return answerApp(context, by.app)
      if (changed.problems[0]?.code === 'app_stale') throw await staleApp(context, by.app, version)
      throw refusedAct(changed.problems)
    },
  }),
  operation({
    id: 'disableApp',
    method: 'POST',
    path: '/apps/{app}/disable',
    action: 'app.disable',
    summary: 'Closes an app: no sign-in, and its tokens do not work',
    answer: { status: 200, schema: app },
    run: (call) => act(call, (context, by) => setAppState(context, by, 'disabled')),
  }),
  operation({
    id: 'enableApp',
    method: 'POST',
    path: '/apps/{app}/enable',
    action: 'app.disable',
    summary: 'Opens a closed app again',
    answer: { status: 200, schema: app },
    run: (call) => act(call, (context, by) => setAppState(context, by, 'enabled')),
  }),
  operation({
    id: 'deleteApp',
    method: 'DELETE',
    path: '/apps/{app}',
    action: 'app.delete',
    summary: 'Closes an app now, and deletes it after 30 days',
    answer: { status: 202, schema: app },
    run: (call) => act(call, deleteApp),
  }),
  operation({
    id: 'keepApp',
    method: 'POST',
    path: '/apps/{app}/keep',
    action: 'app.delete',
    summary: 'Cancels the deletion of an app',
    answer: { status: 200, schema: app },
    run: (call) => act(call, keepApp),
  }),
  operation({
    id: 'setLogo',
    method: 'PUT',
    path: '/apps/{app}/logo',
    action: 'app.change',
    summary: 'Sets the logo of an app: a picture of at most 5 MiB, which is decoded and encoded again',
    picture: true,
    answer: { status: 200, schema: app },
    async run(call) {
      const by = await appOf(call)
      return inUploadTurn(by.person.id, async () => {
        const picture = await readPicture(call.request)
        return act(call, (context) => changeLogo(context, by, picture))
      })
    },
  }),
  operation({
    id: 'removeLogo',
    method: 'DELETE',
    path: '/apps/{app}/logo',
    action: 'app.change',
    summary: 'Removes the logo of an app; people see its initials',
    answer: { status: 200, schema: app },
    run: (call) => act(call, removeLogo),
  }),
]

/** Runs an act about the app in the path, and answers with the app. */
async function act(call: Call<unknown, unknown>, run: (context: ConsoleContext, by: AppAuthor) => Promise<Acted>) {
  const by = await appOf(call)
  const acted = await run(call.context, by)
  if ('problems' in acted) throw refusedAct(acted.problems)
  return answerApp(call.context, by.app)
}
