import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from './app-head.tsx'

/** An app: what a developer copies into its settings. */
export default async function AppPage({ params }: { params: AppParams }) {
  const { context, app, flashOf } = await readTeamApp(params)
  const [flash, t] = await Promise.all([flashOf('new-app'), getTranslations('consoleApps')])
  const { issuer } = context.config
  return (
    <>
      <AppHead app={app} current={undefined} />
      <ConsoleResult flash={flash} />
      <Card title={t('copy')}>
        <p>{t('copyWhat')}</p>
        <CodeBlock id="app-client-id" label="client_id">
          {app.id}
        </CodeBlock>
        <CodeBlock id="app-issuer" label="issuer">
          {issuer}
        </CodeBlock>
        <CodeBlock id="app-discovery" label={t('discovery')}>
          {`${issuer}/.well-known/openid-configuration`}
        </CodeBlock>
        <CodeBlock id="app-redirect-uris" label="redirect_uris">
          {(app.declaration.redirect_uris as string[]).join('\n')}
        </CodeBlock>
        <CodeBlock id="app-scope" label="scope">
          {(app.declaration.scopes as string[]).join(' ')}
        </CodeBlock>
      </Card>
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('overview')) }
}
