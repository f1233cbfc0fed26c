import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import type { AppKind } from '#lib/apps/app-fields'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'
import { AuthMethod } from './auth-method.tsx'
import { KeyForms, Keys } from './keys.tsx'
import { RunWithSecret } from './run-with-secret.tsx'
import { Secrets } from './secrets.tsx'

/** The secrets and keys of an app; a new secret is shown once. */
export default async function CredentialsPage({ params }: { params: AppParams }) {
  const { context, person, session, app, may, flashOf } = await readTeamApp(params)
  const [flash, made, t] = await Promise.all([
    flashOf('credentials'),
    flashOf('new-app'),
    getTranslations('consoleApps.credentials'),
  ])
  const words = await getTranslations('console')
  const secret = flash.kept.secret ?? made.kept.secret
  const mayChange = may('app.credentials')
  const canSign = profileOf(app.profile as ProfileName).keyKinds.includes(app.kind as AppKind)
  const isMade = flash.done !== undefined || made.done !== undefined
  return (
    <>
      <AppHead app={app} current="credentials" />
      <ConsoleResult flash={made.done ? made : flash} />
      {isMade && secret && (
        <Card title={t('newSecret')}>
          <p>{t('newSecretWhat')}</p>

          <CodeBlock id="app-client-id" label="client_id">
            {app.id}
          </CodeBlock>
          <CodeBlock id="app-secret" label="client_secret" wrap>
            {secret}
          </CodeBlock>
          <RunWithSecret app={app} site={context.config} secret={secret} />
        </Card>
      )}
      {mayChange && app.kind !== 'public' && !isFresh({ person, session }, context.now()) && <p>{words('fresh')}</p>}
      {app.kind === 'confidential' && <Secrets app={app} mayChange={mayChange} now={context.now()} />}
      {(canSign || app.keys.length > 0) && <Keys app={app} mayChange={mayChange} now={context.now()} />}
      {mayChange && canSign && <KeyForms app={app} flash={flash} />}
      {mayChange && <AuthMethod app={app} flash={flash} />}
      {mayChange && canSign && <OwnScript src="/make-key.js" />}
      {app.kind === 'public' && (
        <Card title={t('none')}>
          <p>{t('noneWhat')}</p>
        </Card>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('credentials'),
    getTranslations('consoleApps.sections'),
    getTranslations('console'),
  ])
  const title = await appTitle(params, t('credentials'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
