import { rememberChoice } from '#app/_page/remember-choice.ts'
import { getContext } from '#lib/server/compose/process-context'
import { locales } from '#lib/text/messages'

/** Stores the language chosen in the footer. */
export async function POST(request: Request) {
  const choice = {
    cookie: 'postern_language',
    column: 'pageLanguage',
    allowed: locales,
    overrides: 'ui_locales',
  } as const
  return rememberChoice(await getContext(), request, choice)
}
