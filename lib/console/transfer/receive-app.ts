import type { Acted, Author } from '#lib/console/acted'
import { offeredNameProblems } from '#lib/console/app/app-name'
import { mostApps } from '#lib/console/app/register-app'
import type { ConsoleContext } from '#lib/console/context'
import { appPage, offerPage, teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm } from '#lib/console/team-form'
import type { PageForm } from '#lib/http/form'

/** The days in which the receiving team can read the map of identifiers. */
export const mapDays = 60

const about = {
  form: 'offer',
  page: (teamId: string, form: PageForm) => offerPage(teamId, offerIn(form)),
  action: 'app.receive',
} as const

/** POST /console/app/accept-offer: moves an app to the team that it was offered to. */
export const answerOfferAcceptance = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, fresh: true }, async (submission) => {
    const { form, team } = submission
    const accepted = await acceptOffer(context, submission, { offer: offerIn(form) })
    return 'problems' in accepted ? accepted : { ...accepted, to: appPage(team.id, form.get('app').slice(0, 64)) }
  })

/** POST /console/app/decline-offer */
export const answerOfferRefusal = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, action: 'offers.end' }, async (submission) => {
    // A double submit declines nothing the second time, and shows the same result.
    await declineOffer(context, submission, { offer: offerIn(submission.form) })
    return { done: 'offer_declined', to: teamPage(submission.team.id) }
  })

/**
 * Moves an app to the team of the author; its page then shows the map of identifiers. The names of the app are checked
 * like those of a new app of this team, and must not change until the acceptance.
 */
async function acceptOffer(context: ConsoleContext, by: Author, { offer }: { offer: string }): Promise<Acted> {
  const author = { context, ...by }
  const [giving, receiving] = [actOf(author, 'app_given'), actOf(author, 'app_received')]
  const mapUntil = new Date(receiving.at.getTime() + mapDays * 86_400_000)
  const offered = await context.transfers.findReceived(by.team.id, offer, context.now())
  const app = offered && (await context.teamApps.find(offered.app.id))
  if (app && (await offeredNameProblems(context, by, app)).length > 0) return { problems: [{ code: 'offer_name' }] }
  const rules = { most: mostApps, mapUntil, version: app?.version }
  const accepted = await context.transfers.accept({ id: offer, toTeamId: by.team.id }, rules, { giving, receiving })
  return accepted === 'accepted' ? { done: 'app_received' } : { problems: [{ code: refusals[accepted] }] }
}

/** Declines an offer to the team of the author. */
export async function declineOffer(context: ConsoleContext, by: Author, { offer }: { offer: string }): Promise<Acted> {
  const author = { context, ...by }
  const [giving, receiving] = [actOf(author, 'offer_declined'), actOf(author, 'offer_declined')]
  // The members of the giving team read the name of the team, not of the person who declined.
  const acts = { giving: { ...giving, actor: by.team.name }, receiving }
  const isDeclined = await context.transfers.decline(by.team.id, offer, acts)
  return isDeclined ? { done: 'offer_declined' } : { problems: [{ code: 'offer_over' }] }
}

const refusals = {
  over: 'offer_over',
  closed: 'team_closed',
  changed: 'offer_changed',
  'not transferable': 'app_not_transferable',
  enough: 'app_enough',
} as const

const offerIn = (form: PageForm): string => form.get('offer').slice(0, 64)
