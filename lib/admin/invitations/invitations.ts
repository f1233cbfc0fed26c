import type { Outcome } from '#lib/account/account-form'
import { invitationHash, makeInvitation } from '#lib/account/person/invitation'
import { type AdminSubmission, answerAdminForm, recordedBy } from '#lib/admin/admin-form'
import type { AdminContext } from '#lib/admin/context'
import { adminPages } from '#lib/admin/paths'
import { purposes } from './store.ts'

/** The longest time in which an invitation can be used, and the preset one, in days. */
export const [mostDays, presetDays] = [365, 14]

/** The most characters of a note. */
export const longestNote = 200

const form = { form: 'admin-invitations', page: adminPages.invitations }

/** POST /admin/invitations/make: makes an invitation; its code is shown once. */
export const answerInvitationMaking = (context: AdminContext, request: Request): Promise<Response> =>
  answerAdminForm(context, request, { ...form, keeps: { purpose: 'purpose', note: 'note', days: 'days' } }, make)

/** POST /admin/invitations/withdraw: deletes an invitation that was not used. */
export const answerInvitationWithdrawal = (context: AdminContext, request: Request): Promise<Response> =>
  answerAdminForm(context, request, form, async (submission) => {
    const hash = submission.form.get('invitation').slice(0, 100)
    const outcome = await submission.context.invitations.withdraw(hash, recordedBy(submission, ''))
    return outcome === 'used' ? { problems: [{ code: 'invitation_used' }] } : { done: 'invitation_withdrawn' }
  })

async function make(submission: AdminSubmission): Promise<Outcome> {
  const { context, form: sent } = submission
  const note = sent
    .get('note')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, longestNote)
  const purpose = purposes.find((one) => one === sent.get('purpose'))
  const typed = sent.get('days').trim()
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  const kept = { purpose: purpose ?? '', note, days: typed.slice(0, 10) }
  if (!purpose) return { problems: [{ field: 'purpose', code: 'purpose_missing' }], kept }
  if (days < 1 || days > mostDays) return { problems: [{ field: 'days', code: 'days_wrong' }], kept }
  const code = makeInvitation(context.random)
  const recorded = recordedBy(submission, '')
  const expiresAt = new Date(recorded.at.getTime() + days * 86_400_000)
  await context.invitations.make({ hash: invitationHash(code), purpose, note, expiresAt }, recorded)
  return { done: 'invitation_made', kept: { code, made: purpose } }
}
