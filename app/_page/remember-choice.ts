import { readPageForm } from '#lib/http/form'
import { localPath } from '#lib/http/redirect'

/** Stores a choice of language or appearance for a year, and redirects to the page it was made on. */
export async function rememberChoice(request: Request, choice: Choice): Promise<Response> {
  const form = await readPageForm(request)
  const chosen = form?.get('to') ?? ''
  const answer = new Headers({ location: wayBack(form?.get('back') || refererPath(request), choice) })
  if (choice.allowed.includes(chosen)) {
    answer.set(
      'set-cookie',
      `${choice.cookie}=${chosen}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${choice.secure ? '; Secure' : ''}`,
    )
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

type Choice = { cookie: string; allowed: readonly string[]; secure: boolean; overrides?: string }
