import { readJourneyPage, type Search, toDispatcher } from '#app/_page/journey-page.ts'
import { stepFor } from '#lib/flow/continue'
import { agreedBy } from '#lib/flow/email-choice'

/** What the pages of binding show; whoever has to do something else now is led there. */
export async function readBinding(search: Search, form: string) {
  const page = await readJourneyPage(search, form)
  const { context, current, sealed } = page
  const { step } = await stepFor(context, page)
  if (step !== 'bind-email' || !current) return toDispatcher(sealed)
  return { ...page, current, agreedTo: agreedBy(page, current)?.decision.emailChoice }
}
