import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { acceptedLanguages, chooseLocale, messagesFor } from '#lib/text/messages'
import { readVisitor } from './visitor.ts'

/**
 * Chooses the language of a request: the app's `ui_locales`, then the choice of the signed-in person, then that of the
 * browser, then Accept-Language.
 */
export default getRequestConfig(async () => {
  const [sent, jar, { current }] = await Promise.all([headers(), cookies(), readVisitor()])
  const locale = chooseLocale(
    ...(sent.get('x-ui-locales') ?? '').split(' '),
    current?.person.pageLanguage,
    jar.get('postern_language')?.value,
    ...acceptedLanguages(sent.get('accept-language')),
  )
  return { locale, messages: messagesFor(locale), timeZone: 'UTC', now: new Date() }
})
