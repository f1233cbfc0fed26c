import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { Card } from '#app/_ui/card.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { readTrial } from '#lib/console/trial/trial'
import { TrialForm } from './trial-form.tsx'
import { TrialResult } from './trial-result.tsx'

/** A sign-in at the app with the member's own account, and each of its steps. */
export default async function TryPage({ params }: { params: AppParams }) {
  const { context, person, app, may, flashOf } = await readTeamApp(params)
  const [flash, t] = await Promise.all([flashOf('try'), getTranslations('consoleTry')])
  const mayTry = may('app.try')
  const [trial, apis] = mayTry
    ? await Promise.all([readTrial(context, person.id, app.id), context.teamApis.list(app.teamId)])
    : [undefined, []]
  return (
    <>
      <AppHead app={app} current="try" />
      <ConsoleResult flash={flash} />
      {trial &&
        (trial.outcome ? (
          <TrialResult app={app} outcome={trial.outcome} finishedAt={trial.finishedAt} issuer={context.config.issuer} />
        ) : (
          <Notice title={t('running')}>{t('runningWhat')}</Notice>
        ))}
      {app.disabledAt ? (
        <Card title={t('closed')}>
          <p>{t('closedWhat')}</p>
        </Card>
      ) : (
        <TrialForm app={app} apis={apis} mayTry={mayTry} />
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('try')) }
}
