import { rememberChoice } from '#app/_page/remember-choice.ts'
import { themes } from '#app/_page/theme.ts'
import { getContext } from '#lib/server/compose/process-context'

/** Stores the appearance chosen in the footer. */
export async function POST(request: Request) {
  const { config } = await getContext()
  const secure = config.accountUrl.startsWith('https:')
  return rememberChoice(request, { cookie: 'postern_theme', allowed: themes, secure })
}
