import { currentSession, type SessionSite } from '#lib/account/signed-in/session'
import { isFromOurPages, readPageForm } from '#lib/http/form'
import { localPath } from '#lib/http/redirect'
import type { PageLook, ProfileStore } from './profile.ts'

/** The appearances a person may choose; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Returns the first wish that is an appearance. */
export const chooseTheme = (...wishes: (string | undefined)[]): Theme =>
  wishes.map((wish) => themes.find((theme) => theme === wish)).find((theme) => theme !== undefined) ?? 'system'

type LookContext = SessionSite & {
  config: { languages: readonly string[] }
  profiles: Pick<ProfileStore, 'setPageLook'>
}

/** POST /language: stores the language chosen in the footer. */
export const answerLanguage = (context: LookContext, request: Request): Promise<Response> =>
  rememberChoice(context, request, {
    cookie: 'postern_language',
    column: 'pageLanguage',
    allowed: context.config.languages,
    overrides: 'ui_locales',
  })

/** POST /theme: stores the appearance chosen in the footer. */
export const answerTheme = (context: LookContext, request: Request): Promise<Response> =>
  rememberChoice(context, request, { cookie: 'postern_theme', column: 'pageTheme', allowed: themes })

/**
 * Stores a choice for a year in this browser, and for the signed-in person in every browser; redirects to the page it was
 * made on. While a person is signed in, their choice precedes that of the browser; an app's `ui_locales` precede both.
 */
async function rememberChoice(context: LookContext, request: Request, choice: Choice): Promise<Response> {
  const form = await readPageForm(request)
  const chosen = form?.get('to') ?? ''
  const answer = new Headers({ location: wayBack(form?.get('back') || refererPath(request), choice) })
  if (choice.allowed.includes(chosen)) {
    const secure = context.config.accountUrl.startsWith('https:') ? '; Secure' : ''
    answer.set('set-cookie', `${choice.cookie}=${chosen}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`)
    // Another site must not change the account; a changed cookie is harmless.
    const current = isFromOurPages(context, request, 'headers')
      ? await currentSession(context, request.headers.get('cookie'))
      : undefined
    if (current) await context.profiles.setPageLook(current.person.id, { [choice.column]: chosen })
  }
  return new Response(null, { status: 303, headers: answer })
}

/** Returns the page without the parameter that would override the choice. */
function wayBack(wanted: string, { overrides }: Choice): string {
  const path = localPath(wanted)
  if (!overrides || !path.includes(overrides)) return path
  const url = new URL(path, 'http://nowhere.invalid')
  url.searchParams.delete(overrides)
  return localPath(url.pathname + url.search + url.hash)
}

function refererPath(request: Request): string {
  const referer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return '/'
  const { pathname, search } = new URL(referer)
  return pathname + search
}

type Choice = { cookie: string; column: keyof PageLook; allowed: readonly string[]; overrides?: string }
