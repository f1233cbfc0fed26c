import { getContext } from '#lib/context'
import { locales } from '#lib/web/locales'
import { rememberChoice } from '#lib/web/remember-choice'

/** Keeps the language chosen in the footer. */
export async function POST(request: Request) {
  const { config } = await getContext()
  const secure = config.accountUrl.startsWith('https:')
  return rememberChoice(request, { cookie: 'postern_language', allowed: locales, secure, overrides: 'ui_locales' })
}
