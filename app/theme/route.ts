import { getContext } from '#lib/context'
import { rememberChoice } from '#lib/web/remember-choice'
import { themes } from '#lib/web/theme'

/** Keeps the appearance chosen in the footer. */
export async function POST(request: Request) {
  const { config } = await getContext()
  const secure = config.accountUrl.startsWith('https:')
  return rememberChoice(request, { cookie: 'postern_theme', allowed: themes, secure })
}
