import { headers } from 'next/headers'
import { connection } from 'next/server'
import { getLocale } from 'next-intl/server'
import type { Context } from '#lib/server/compose/context'
import { getContext } from '#lib/server/compose/process-context'
import { inLanguage, type Named } from '#lib/text/localized-name'
import { chooseLocale } from '#lib/text/messages'

/** Returns the context for a page. Waits for a request first: a build renders pages too and must not open the database. */
export async function pageContext(): Promise<Context> {
  await connection()
  return getContext()
}

/** Returns the path and query of the page as the browser requested it (proxy.ts). */
export const pathHere = async (): Promise<string> => (await headers()).get('x-path') ?? ''

/** Returns an app with its name in the language of the page. */
export const inPageLanguage = async <App extends Named>(app: App): Promise<App> =>
  inLanguage(app, chooseLocale(await getLocale()))

/** Returns a row with the name of its app in the language of the page. */
export const withAppInLanguage = async <Row extends { app: Named | undefined }>(row: Row): Promise<Row> =>
  row.app ? { ...row, app: await inPageLanguage(row.app) } : row
