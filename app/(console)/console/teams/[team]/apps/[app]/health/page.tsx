import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { healthDays, readHealth } from '#lib/console/health/assess'
import { HealthChecks } from './health-checks.tsx'
import { StandardGrades } from './standard-grades.tsx'

/** How an app does by the standards: a grade for each, and what to change. */
export default async function HealthPage({ params }: { params: AppParams }) {
  const { context, app } = await readTeamApp(params, { action: 'health.read' })
  const [{ grades, checks }, t] = await Promise.all([readHealth(context, app), getTranslations('consoleHealth')])
  return (
    <>
      <AppHead app={app} current="health" />
      <p>{t('what', { days: healthDays })}</p>
      <StandardGrades grades={grades} />
      <HealthChecks app={app} checks={checks} />
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('health')) }
}
