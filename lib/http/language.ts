import { acceptedLanguages, chooseAmong, type Locale } from '#lib/text/messages'
import { readCookie } from './cookies.ts'
import type { Site } from './site.ts'

/**
 * Returns the language of letters to the sender of a request; `wished` are an app's `ui_locales`, which take precedence.
 */
export const pageLanguage = ({ config }: Pick<Site, 'config'>, request: Request, wished = ''): Locale =>
  chooseAmong(
    config.letterLanguages,
    ...wished.split(' '),
    readCookie(request.headers.get('cookie'), 'postern_language'),
    ...acceptedLanguages(request.headers.get('accept-language')),
  )
