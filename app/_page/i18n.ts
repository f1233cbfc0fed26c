import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { chooseLanguage, textsOf } from '#lib/brand/brand-texts'
import { acceptedLanguages } from '#lib/text/messages'
import { knownTimeZone, regionalEnglish, timeZoneCookie } from '#lib/text/region/time-form'
import { readVisitor } from './visitor.ts'

/**
 * Chooses the language of a request: the app's `ui_locales`, then the choice of the signed-in person, then that of the
 * browser, then Accept-Language. Times are in the time zone of the browser, and English dates as its region writes them.
 */
export default getRequestConfig(async () => {
  const [sent, jar, { current, context }] = await Promise.all([headers(), cookies(), readVisitor()])
  const accepted = acceptedLanguages(sent.get('accept-language'))
  const { config } = context
  const language = chooseLanguage(
    config,
    ...(sent.get('x-ui-locales') ?? '').split(' '),
    current?.person.pageLanguage,
    jar.get('postern_language')?.value,
    ...accepted,
  )
  return {
    locale: language === 'en' ? regionalEnglish(accepted) : language,
    messages: textsOf(config.brand, language),
    timeZone: knownTimeZone(jar.get(timeZoneCookie)?.value),
    now: new Date(),
  }
})
