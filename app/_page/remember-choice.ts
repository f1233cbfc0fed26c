import type { ProfileStore } from '#lib/account/profile/profile'
import { currentSession, type Person, type SessionSite } from '#lib/account/signed-in/session'
import { isFromOurPages, readPageForm } from '#lib/http/form'
import { localPath } from '#lib/http/redirect'

type ChoiceContext = SessionSite & { profiles: Pick<ProfileStore, 'choosePages'> }

/**
 * Stores a choice of language or appearance in the browser for a year, and in the account of the person signed in, so that
 * it holds in their other browsers too. Redirects to the page it was made on.
 */
export async function rememberChoice(context: ChoiceContext, request: Request, choice: Choice): Promise<Response> {
  const form = await readPageForm(request)
  const chosen = form?.get('to') ?? ''
  const answer = new Headers({ location: wayBack(form?.get('back') || refererPath(request), choice) })
  if (choice.allowed.includes(chosen)) {
    const secure = context.config.accountUrl.startsWith('https:') ? '; Secure' : ''
    answer.set('set-cookie', `${choice.cookie}=${chosen}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`)
    const current = await currentSession(context, request.headers.get('cookie'))
    if (current && isFromOurPages(context, request, 'headers'))
      await context.profiles.choosePages(current.person.id, { [choice.column]: chosen })
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

type Choice = {
  cookie: string
  column: keyof Pick<Person, 'pageLanguage' | 'pageTheme'>
  allowed: readonly string[]
  overrides?: string
}
