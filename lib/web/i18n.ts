import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { acceptedLanguages, chooseLocale, type Locale } from './locales.ts'

/** Language and texts of one request: the app's `ui_locales`, then the person's choice, then the browser's wish. */
export default getRequestConfig(async () => {
  const [sent, jar] = await Promise.all([headers(), cookies()])
  const locale = chooseLocale(
    ...(sent.get('x-ui-locales') ?? '').split(' '),
    jar.get('postern_language')?.value,
    ...acceptedLanguages(sent.get('accept-language')),
  )
  return { locale, messages: await readMessages[locale](), timeZone: 'UTC', now: new Date() }
})

const readMessages: Record<Locale, () => Promise<typeof import('../../messages/en.json')>> = {
  en: async () => (await import('../../messages/en.json')).default,
  ja: async () => (await import('../../messages/ja.json')).default,
  'zh-CN': async () => (await import('../../messages/zh-CN.json')).default,
  'zh-TW': async () => (await import('../../messages/zh-TW.json')).default,
}
