import type { Outcome, Submission } from '#lib/account/account-form'
import { isLeaving } from '#lib/account/data/deletion'
import { answerUpload } from '#lib/account/profile/answer-upload'
import { makeAvatar, pictureName } from '#lib/account/profile/avatar'
import type { UploadForm } from '#lib/account/profile/upload'
import type { Acted, AppAuthor } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { appPage } from '#lib/console/paths'
import { mayDo } from '#lib/console/roles'
import { actOf, notAllowed } from '#lib/console/team-form'
import { answerAppForm } from './app-form.ts'

/**
 * POST /console/app/logo/change?team=&app=: stores a logo, decoded and encoded again like an avatar. The ids are in the
 * address, because they are needed before the body is read.
 */
export function answerLogoUpload(context: ConsoleContext, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const [teamId, appId] = ['team', 'app'].map((name) => (searchParams.get(name) ?? '').slice(0, 64)) as [string, string]
  const about = { form: 'app', page: appPage(teamId, appId, 'settings') }
  return answerUpload(context, request, about, (submission) => saveLogo(submission, { teamId, appId }))
}

/** POST /console/app/logo/remove: removes the logo; people see the initials of the app instead. */
export const answerLogoRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.change' }, (submission) =>
    removeLogo(context, submission),
  )

type Upload = Submission<ConsoleContext, UploadForm>

async function saveLogo(submission: Upload, { teamId, appId }: { teamId: string; appId: string }): Promise<Outcome> {
  const { context, form, person } = submission
  const team = await context.teams.findTeam(teamId, person.id)
  const app = team && (await context.teamApps.find(appId))
  // The page of an app of another team answers 404.
  if (!team || app?.teamId !== team.id) return { problems: [] }
  if (!mayDo(team.role, 'app.change')) return { problems: [notAllowed(team)] }
  if (isLeaving(person)) return { problems: [{ code: 'leaving' }] }
  return changeLogo(context, { team, person, app }, form.file('picture'))
}

/** Stores a logo, decoded and encoded again like an avatar. */
export async function changeLogo(context: ConsoleContext, by: AppAuthor, bytes: Uint8Array): Promise<Acted> {
  const made = await makeAvatar(bytes, 'whole', by.person.id)
  if ('problem' in made) return { problems: [{ field: 'picture', code: made.problem }] }
  const picture = { file: pictureName('webp', context.random), mediaType: 'image/webp', bytes: made.bytes }
  await context.teamApps.setLogo(by.app, picture, actOf({ context, ...by }, 'logo_changed'))
  return { done: 'logo_changed' }
}

/** Removes the logo of an app. */
export async function removeLogo(context: ConsoleContext, by: AppAuthor): Promise<Acted> {
  await context.teamApps.setLogo(by.app, undefined, actOf({ context, ...by }, 'logo_removed'))
  return { done: 'logo_removed' }
}
