import { rememberChoice } from '#app/_page/remember-choice.ts'
import { themes } from '#app/_page/theme.ts'
import { getContext } from '#lib/server/compose/process-context'

/** Stores the appearance chosen in the footer. */
export const POST = async (request: Request) =>
  rememberChoice(await getContext(), request, { cookie: 'postern_theme', column: 'pageTheme', allowed: themes })
