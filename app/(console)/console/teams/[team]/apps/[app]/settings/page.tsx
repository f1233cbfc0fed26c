import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { ScopeReview } from '#app/(console)/console/scope-review.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { findRefusal } from '#lib/console/app/scope-refusal'
import { transferPage } from '#lib/console/paths'
import { AppForm } from './app-form.tsx'
import { AppState } from './app-state.tsx'
import { DeleteApp } from './delete-app.tsx'
import { LogoForm } from './logo-form.tsx'

/** The fields of an app, and the forms that close and delete it. */
export default async function AppSettingsPage({ params }: { params: AppParams }) {
  const { context, team, app, may, flashOf } = await readTeamApp(params)
  const [flash, refusal, t] = await Promise.all([
    flashOf('app'),
    findRefusal(context, app.teamId, { ...app, target: app.id }),
    getTranslations('consoleTransfer.card'),
  ])
  const domains = await context.teamDomains.list(team.id)
  const isVerified = team.isTrusted || domains.some(({ verifiedAt }) => verifiedAt !== undefined)
  return (
    <>
      <AppHead app={app} current="settings" />
      <ConsoleResult flash={flash} />
      <ScopeReview waiting={app.waitingScopes} refusal={refusal} />
      <AppForm app={app} flash={flash} mayChange={may('app.change')} config={context.config} />
      {may('app.change') && <LogoForm app={app} flash={flash} issuer={context.config.issuer} isVerified={isVerified} />}
      {may('app.disable') && !app.removeAfter && <AppState app={app} />}
      {may('app.transfer') && !app.removeAfter && (
        <Card title={t('title')}>
          <p>{t('what')}</p>
          <div>
            <ButtonLink href={transferPage(app.teamId, app.id)} look="secondary" id="app-transfer">
              {t('link')}
            </ButtonLink>
          </div>
        </Card>
      )}
      {may('app.delete') && <DeleteApp app={app} flash={flash} />}
      <OwnScript src="/redirect-uris.js" />
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('app'),
    getTranslations('consoleApps.sections'),
    getTranslations('console'),
  ])
  const title = await appTitle(params, t('settings'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
