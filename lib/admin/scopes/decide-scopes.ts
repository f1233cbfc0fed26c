import type { Outcome } from '#lib/account/account-form'
import { type AdminSubmission, answerAdminForm, reasonIn, recordedBy } from '#lib/admin/admin-form'
import type { AdminContext } from '#lib/admin/context'
import { adminPages } from '#lib/admin/paths'
import { mayDo } from '#lib/console/roles'
import type { PageForm } from '#lib/http/form'
import type { Decided } from './store.ts'

/** POST /admin/scopes/decide: approves or refuses scopes of an app or an API. */
export const answerScopeDecision = (context: AdminContext, request: Request): Promise<Response> =>
  answerAdminForm(
    context,
    request,
    { form: 'admin-scopes', page: adminPages.scopes, keeps: { id: 'id', reason: 'reason' } },
    decide,
  )

async function decide(submission: AdminSubmission): Promise<Outcome> {
  const { context, form } = submission
  if (!mayDo('operator', 'scopes.decide')) return { problems: [] }
  const decision = decisionIn(form)
  const reason = reasonIn(form)
  const kept = { id: form.get('id').slice(0, 300), reason }
  if (!decision) return { problems: [{ code: 'scopes_stale' }], kept }
  if (decision.scopes.length === 0) return { problems: [{ code: 'scopes_missing' }], kept }
  // The team reads why a scope was refused; an approval needs no reason.
  if (!decision.isApproved && reason === '') return { problems: [{ field: 'reason', code: 'reason_missing' }], kept }
  const outcome = await context.scopeQueue.decide(decision, recordedBy(submission, reason))
  return outcomeOf(outcome, decision.isApproved)
}

function outcomeOf(outcome: Decided, isApproved: boolean): Outcome {
  if (outcome === 'stale' || outcome === 'unknown') return { problems: [{ code: `scopes_${outcome}` }] }
  return { done: isApproved ? 'scopes_approved' : 'scopes_refused' }
}

/** Returns the decision of a form; undefined for values that the page never sends. */
function decisionIn(form: PageForm) {
  const [of, version, act] = [form.get('of'), form.get('version'), form.get('decision')]
  if ((of !== 'app' && of !== 'api') || (act !== 'approve' && act !== 'refuse')) return undefined
  const scopes = [...new Set(form.all('scope'))].slice(0, 50)
  return { of, id: form.get('id').slice(0, 300), version, scopes, isApproved: act === 'approve' } as const
}
