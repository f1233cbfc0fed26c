import { answerAdminForm, reasonIn, recordedBy } from '#lib/admin/admin-form'
import type { AdminContext } from '#lib/admin/context'
import { appOfOperators } from '#lib/admin/paths'
import type { PageForm } from '#lib/http/form'

/** POST /admin/app/state: closes an app of any team, or opens it. */
export const answerOperatorAppState = (context: AdminContext, request: Request): Promise<Response> =>
  answerAdminForm(
    context,
    request,
    { form: 'admin-app', page: (form) => appOfOperators(appIn(form)), keeps: { reason: 'reason' } },
    async (submission) => {
      const { form } = submission
      const reason = reasonIn(form)
      if (reason === '') return { problems: [{ field: 'reason', code: 'reason_missing' }] }
      const isDisabled = form.get('state') === 'disabled'
      const recorded = recordedBy(submission, reason)
      const change = await context.operatorTeams.setAppDisabled(appIn(form), isDisabled, recorded)
      // The page of an app that does not exist answers 404.
      return change === 'unknown' ? { problems: [] } : { done: isDisabled ? 'close_app' : 'open_app' }
    },
  )

const appIn = (form: PageForm): string => form.get('app').slice(0, 64)
