import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { acceptedLanguages, chooseLocale, messagesFor } from '#lib/text/messages'

/** Chooses the language of a request: the app's `ui_locales`, then the person's choice, then Accept-Language. */
export default getRequestConfig(async () => {
  const [sent, jar] = await Promise.all([headers(), cookies()])
  const locale = chooseLocale(
    ...(sent.get('x-ui-locales') ?? '').split(' '),
    jar.get('postern_language')?.value,
    ...acceptedLanguages(sent.get('accept-language')),
  )
  return { locale, messages: messagesFor(locale), timeZone: 'UTC', now: new Date() }
})
