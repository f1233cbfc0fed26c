import { rememberChoice } from '#app/_page/remember-choice.ts'
import { getContext } from '#lib/server/compose/process-context'
import { locales } from '#lib/text/messages'

/** Stores the language chosen in the footer. */
export async function POST(request: Request) {
  const { config } = await getContext()
  const secure = config.accountUrl.startsWith('https:')
  return rememberChoice(request, { cookie: 'postern_language', allowed: locales, secure, overrides: 'ui_locales' })
}
