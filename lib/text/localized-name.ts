import { type Locale, locales } from './messages.ts'

/** An app with its name, and its names in some languages. */
export type Named = { name: string; names: Record<string, string> }

/** The fields that register the names of an app in the languages of the pages (RFC 7591 §2.2: `client_name#ja`). */
export const nameFields = locales.map((locale) => `name#${locale}` as const)

/** Returns the names that an app has registered, by language; an empty one is not registered. */
export const namesIn = (registration: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    locales.flatMap((locale) => {
      const name = registration[`name#${locale}`]
      return typeof name === 'string' && name !== '' ? [[locale, name]] : []
    }),
  )

/** Returns an app with its name in a language. */
export const inLanguage = <App extends Named>(app: App, locale: Locale): App => ({
  ...app,
  name: app.names[locale] ?? app.name,
})
