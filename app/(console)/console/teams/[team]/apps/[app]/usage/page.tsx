import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { appPage } from '#lib/console/paths'
import { byWeek, readUsage, totalsOf, usageCounts, usageSpans } from '#lib/console/usage/read-usage'
import { UsageCharts } from './usage-charts.tsx'
import { UsageSpans } from './usage-spans.tsx'
import { UsageTable } from './usage-table.tsx'

/** What happened to an app: small charts of 30 days by day, or of 365 days by week. */
export default async function UsagePage({ params, searchParams }: { params: AppParams; searchParams: Search }) {
  const { context, app } = await readTeamApp(params, { action: 'usage.read' })
  const span = oneOf((await searchParams).days) === '365' ? usageSpans[1] : usageSpans[0]
  const [days, t] = await Promise.all([readUsage(context, app.id, span), getTranslations('consoleUsage')])
  const periods = span === 30 ? days : byWeek(days)
  const totals = totalsOf(periods)
  const isEmpty = usageCounts.every((what) => totals[what] === 0)
  return (
    <>
      <AppHead app={app} current="usage" />
      <p>{t('what')}</p>
      <UsageSpans href={appPage(app.teamId, app.id, 'usage')} span={span} />
      {isEmpty ? (
        <EmptyState
          icon="clock"
          title={t('empty')}
          action={<ButtonLink href={appPage(app.teamId, app.id, 'connect')}>{t('connect')}</ButtonLink>}
        >
          {t('emptyWhat')}
        </EmptyState>
      ) : (
        <>
          <UsageCharts periods={periods} totals={totals} span={span} />
          <UsageTable periods={periods} span={span} />
        </>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleApps.sections'))('usage')) }
}
