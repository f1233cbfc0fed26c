import { answerAdminForm, reasonIn, recordedBy } from '#lib/admin/admin-form'
import type { AdminContext } from '#lib/admin/context'
import { appOfOperators, teamOfOperators } from '#lib/admin/paths'
import type { PageForm } from '#lib/http/form'
import type { OperatorTeams } from './store.ts'

/** POST /admin/app/state: closes an app of any team, or opens it. */
export const answerOperatorAppState = (context: AdminContext, request: Request): Promise<Response> =>
  answerState(context, request, {
    what: 'app',
    form: 'admin-app',
    page: appOfOperators,
    set: (...change) => context.operatorTeams.setAppDisabled(...change),
  })

/** POST /admin/team/state: closes a team with its apps, or opens it. */
export const answerOperatorTeamState = (context: AdminContext, request: Request): Promise<Response> =>
  answerState(context, request, {
    what: 'team',
    form: 'admin-team',
    page: teamOfOperators,
    set: (...change) => context.operatorTeams.setTeamClosed(...change),
  })

type State = {
  /** What is closed or opened: also the field that has its id. */
  what: 'app' | 'team'
  form: string
  page: (id: string) => string
  set: OperatorTeams['setTeamClosed']
}

function answerState(context: AdminContext, request: Request, { what, form: name, page, set }: State) {
  const idIn = (form: PageForm) => form.get(what).slice(0, 64)
  const about = { form: name, page: (form: PageForm) => page(idIn(form)), keeps: { reason: 'reason' } }
  return answerAdminForm(context, request, about, async (submission) => {
    const { form } = submission
    const reason = reasonIn(form)
    if (reason === '') return { problems: [{ field: 'reason', code: 'reason_missing' }] }
    const isClosed = form.get('state') === 'disabled'
    const change = await set(idIn(form), isClosed, recordedBy(submission, reason))
    // The page of an app or a team that does not exist answers 404.
    return change === 'unknown' ? { problems: [] } : { done: `${isClosed ? 'close' : 'open'}_${what}` }
  })
}
