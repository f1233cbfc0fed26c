import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { note } from '#lib/account/tell-owner'
import type { Context } from '#lib/server/compose/context'
import { readProfile } from './profile.ts'

/** POST /account/profile/submit: what a person tells about themselves (spec §2.7). */
export const answerProfile = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'profile', page: '/account' }, saveProfile)

async function saveProfile(act: Act): Promise<Outcome> {
  const { context, form, person } = act
  const { typed, problems } = readProfile((field) => form.get(field), context.now())
  if (problems.length > 0) return { problems, kept: typed }
  const changed = await context.profiles.save(person.id, typed, context.now())
  if (changed.length === 0) return { done: 'unchanged' }
  await note(act, 'profile_changed', { fields: changed.join(' ') })
  return { done: 'saved' }
}
