import { readCookie } from '#lib/http/cookies'
import type { Context } from '#lib/server/compose/context'
import { acceptedLanguages, chooseLocale, type Locale } from '#lib/text/locales'
import { originOf } from './activity.ts'
import { describeDevice } from './describe-device.ts'

/** The language of the page somebody is on, for the letter which that page sends them to. */
export const pageLanguage = (request: Request, wished = ''): Locale =>
  chooseLocale(
    ...wished.split(' '),
    readCookie(request.headers.get('cookie'), 'postern_language'),
    ...acceptedLanguages(request.headers.get('accept-language')),
  )

/** When, with what and from where something was done, as a letter tells it. */
export function happening(context: Context, request: Request): { at: Date; device: string; address: string } {
  const { address, device } = originOf(request)
  const { browser, system } = describeDevice(device)
  return { at: context.now(), device: [browser, system].filter(Boolean).join(', '), address }
}
