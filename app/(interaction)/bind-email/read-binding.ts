import { readInteractionPage, type Search, toDispatcher } from '#app/_page/interaction-page.ts'
import { waitingDecision } from '#lib/flow/consent'
import { stepFor } from '#lib/flow/interaction'

/** Returns the data of the binding pages; redirects when the request must continue with another step. */
export async function readBinding(search: Search, form: string) {
  const page = await readInteractionPage(search, form)
  const { context, current, sealed } = page
  const { step } = await stepFor(context, page)
  if (step !== 'bind-email' || !current) return toDispatcher(sealed)
  return { ...page, current, agreedTo: waitingDecision(page, current)?.decision.emailChoice }
}
