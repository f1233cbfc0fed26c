import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { ScopeReview } from '#app/(console)/console/scope-review.tsx'
import { findRefusal } from '#lib/console/app/scope-refusal'
import { AppHead } from './app-head.tsx'
import { SubMap } from './sub-map.tsx'

/** An app: what a developer copies into its settings. */
export default async function AppPage({ params }: { params: AppParams }) {
  const { context, app, may, flashOf } = await readTeamApp(params)
  const [flash, received, arrival, refusal, t] = await Promise.all([
    flashOf('new-app'),
    flashOf('offer'),
    context.transfers.findArrival(app.id, app.teamId, context.now()),
    findRefusal(context, app.teamId, { ...app, target: app.id }),
    getTranslations('consoleApps'),
  ])
  const { issuer } = context.config
  return (
    <>
      <AppHead app={app} current={undefined} />
      <ConsoleResult flash={received.done ? received : flash} />
      <ScopeReview waiting={app.waitingScopes} refusal={refusal} />
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
          {app.scopes.join(' ')}
        </CodeBlock>
      </Card>
      {arrival && <SubMap app={app} arrival={arrival} mayRead={may('app.sub_map')} />}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('overview')) }
}
