import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { snippetApp, snippetsFor } from '#lib/console/snippets/snippets'
import { ChooseLibrary } from './choose-library.tsx'
import { SnippetCard } from './snippet-card.tsx'

/** Code with the app's values, for one library at a time. */
export default async function ConnectPage({ params, searchParams }: { params: AppParams; searchParams: Search }) {
  const { context, app } = await readTeamApp(params)
  const [{ library }, t] = await Promise.all([searchParams, getTranslations('consoleConnect')])
  const values = snippetApp(app, context.config)
  const snippets = snippetsFor(values)
  const snippet = snippets.find(({ id }) => id === oneOf(library)) ?? snippets[0]
  return (
    <>
      <AppHead app={app} current="connect" />
      {snippet ? (
        <>
          <Card title={t('title')}>
            <p>{t('lede')}</p>
            <ChooseLibrary app={app} snippets={snippets} chosen={snippet.id} />
          </Card>
          <SnippetCard app={app} values={values} snippet={snippet} />
        </>
      ) : (
        <Card title={t('none')}>
          <p>{t('noneWhat')}</p>
        </Card>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('connect')) }
}
