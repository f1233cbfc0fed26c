import { acceptedLanguages, chooseLocale, type Locale } from '#lib/text/messages'
import { readCookie } from './cookies.ts'

/** Returns the language of the page that a request came from; `wished` are an app's `ui_locales`, which take precedence. */
export const pageLanguage = (request: Request, wished = ''): Locale =>
  chooseLocale(
    ...wished.split(' '),
    readCookie(request.headers.get('cookie'), 'postern_language'),
    ...acceptedLanguages(request.headers.get('accept-language')),
  )
