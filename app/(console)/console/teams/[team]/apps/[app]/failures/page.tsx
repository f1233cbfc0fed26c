import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import listStyles from '#app/_ui/event-list.module.css'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { readPlace, writePlace } from '#lib/console/failures/place'
import { appPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'
import { EndpointFilter } from './endpoint-filter.tsx'
import { FailureLine } from './failure-line.tsx'

const pageLength = 50

/** The recent failures of an app: why each request was refused. */
export default async function FailuresPage({ params, searchParams }: { params: AppParams; searchParams: Search }) {
  const { context, app } = await readTeamApp(params, { action: 'failures.read' })
  const search = await searchParams
  const endpoints = await context.failures.listEndpoints(app.id)
  const endpoint = endpoints.find((one) => one === oneOf(search.endpoint))
  const after = readPlace(oneOf(search.after))
  const found = await context.failures.list(app.id, { endpoint, after, most: pageLength + 1 })
  const shown = found.slice(0, pageLength)
  const t = await getTranslations('consoleFailures')
  const here = pathWith(appPage(app.teamId, app.id, 'failures'), { endpoint })
  const last = shown.at(-1)
  return (
    <>
      <AppHead app={app} current="failures" />
      <p>{t('lede')}</p>
      {endpoints.length > 1 && <EndpointFilter app={app} endpoints={endpoints} chosen={endpoint} />}
      {shown.length > 0 ? (
        <EventDays
          events={shown.map((failure) => ({ ...failure, at: failure.lastAt }))}
          now={context.now()}
          line={(failure) => <FailureLine key={failure.id} failure={failure} />}
        />
      ) : (
        <EmptyState icon="check" title={t(endpoint ? 'emptyFilter' : 'empty')}>
          {t('emptyWhat')}
        </EmptyState>
      )}
      {(found.length > pageLength || after) && (
        <nav className={listStyles.pages} aria-label={t('pages')}>
          {found.length > pageLength && last && (
            <ButtonLink href={pathWith(here, { after: writePlace(last) })} look="secondary">
              {t('older')}
            </ButtonLink>
          )}
          {after && (
            <ButtonLink href={here} look="quiet">
              {t('newest')}
            </ButtonLink>
          )}
        </nav>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  return { title: await appTitle(params, (await getTranslations('consoleFailures'))('title')) }
}
