import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { type ProfileStore, readProfile } from './profile.ts'

type ProfileContext = AccountContext & { profiles: ProfileStore; config: { profileFields: readonly string[] } }

/** POST /account/profile/submit: stores the fields of the profile (spec §2.7). */
export const answerProfile = (context: ProfileContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'profile', page: '/account/profile' }, saveProfile)

async function saveProfile(submission: Submission<ProfileContext>): Promise<Outcome> {
  const { context, form, person } = submission
  const { profileFields } = context.config
  const { typed, problems } = readProfile(
    (field) => (profileFields.includes(field) ? form.get(field) : ''),
    context.now(),
  )
  if (problems.length > 0) return { problems, kept: typed }
  // A field that the pages hide keeps its value.
  const shown = Object.entries(typed).filter(([field]) => profileFields.includes(field))
  const changed = await context.profiles.save(person.id, Object.fromEntries(shown), context.now())
  if (changed.length === 0) return { done: 'unchanged' }
  await noteActivity(submission, 'profile_changed', { fields: changed.join(' ') })
  return { done: 'saved' }
}
