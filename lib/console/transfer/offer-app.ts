import type { Acted, AppAuthor, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { transferPage } from '#lib/console/paths'
import { actOf, answerTeamForm } from '#lib/console/team-form'
import type { PageForm } from '#lib/http/form'
import type { Offered } from './store.ts'

/** The days in which an offer can be accepted. */
export const offerDays = 7
/** The most open offers of a team. */
const mostOpen = 20

const about = {
  form: 'transfer',
  page: (teamId: string, form: PageForm) => transferPage(teamId, appIn(form)),
  action: 'app.transfer',
} as const

/** POST /console/app/offer: offers an app to another team, which is chosen from a list or named by its id. */
export const answerAppOffer = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, fresh: true, keeps: { to: 'to' } }, async (submission) => {
    const { form, team } = submission
    const to = (form.get('to_own') || form.get('to')).trim().slice(0, 100)
    const app = await context.teamApps.find(appIn(form))
    // The page of another team's app answers 404.
    if (app?.teamId !== team.id) return { problems: [] }
    const offered = await offerApp(context, { ...submission, app }, { to })
    return 'problems' in offered ? { ...offered, kept: { to } } : offered
  })

/** POST /console/app/withdraw-offer: withdraws an offer that was not accepted. */
export const answerOfferWithdrawal = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, action: 'offers.end' }, (submission) =>
    withdrawOffer(context, submission, { offer: submission.form.get('offer').slice(0, 64) }),
  )

/** Offers an app to the team with this id. */
async function offerApp(context: ConsoleContext, by: AppAuthor, { to }: { to: string }): Promise<Acted> {
  const { app, team } = by
  if (to === '') return { problems: [{ field: 'to', code: 'receiver_missing' }] }
  if (to === team.id) return { problems: [{ field: 'to', code: 'receiver_same' }] }
  const wait = await context.teamLimits.offers.take(by.person.id)
  if (wait > 0) return { problems: [{ field: 'to', code: 'receiver_wait', wait }] }
  const act = actOf({ context, ...by }, 'app_offered')
  const expiresAt = new Date(act.at.getTime() + offerDays * 86_400_000)
  const id = context.random(16).toString('base64url')
  const offer = { id, appId: app.id, fromTeamId: team.id, toTeamId: to, expiresAt }
  const offered = await context.transfers.offer(offer, mostOpen, act)
  return offered === 'offered' ? { done: 'offered' } : { problems: [refusals[offered]] }
}

/** Withdraws an offer of the team. */
export async function withdrawOffer(context: ConsoleContext, by: Author, { offer }: { offer: string }): Promise<Acted> {
  const isWithdrawn = await context.transfers.withdraw(by.team.id, offer, actOf({ context, ...by }, 'offer_withdrawn'))
  return isWithdrawn ? { done: 'offer_withdrawn' } : { problems: [{ code: 'offer_over' }] }
}

const refusals: Record<Exclude<Offered, 'offered'>, { field?: string; code: string }> = {
  'unknown team': { field: 'to', code: 'receiver_unknown' },
  'offered before': { code: 'offer_open' },
  'not transferable': { code: 'app_not_transferable' },
  enough: { code: 'offers_enough' },
}

const appIn = (form: PageForm): string => form.get('app').slice(0, 64)
