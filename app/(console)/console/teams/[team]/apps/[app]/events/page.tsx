import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type AppParams, appTitle, readTeamApp } from '#app/_page/console-app-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { AppHead } from '#app/(console)/console/teams/[team]/apps/[app]/app-head.tsx'
import { EventList } from './event-list.tsx'
import { ReceiverControls } from './receiver-controls.tsx'
import { ReceiverFacts } from './receiver-facts.tsx'
import { ReceiverForm } from './receiver-form.tsx'

const pageLength = 50

/** The receiver of an app's security events, and the deliveries to it. */
export default async function EventsPage({ params, searchParams }: { params: AppParams; searchParams: Search }) {
  const { context, app, may, flashOf } = await readTeamApp(params, { action: 'events.read' })
  const after = oneOf((await searchParams).after).slice(0, 64)
  const [flash, receiver, t] = await Promise.all([
    flashOf('events'),
    context.eventReceivers.find(app.id),
    getTranslations('consoleEvents'),
  ])
  const mayChange = may('events.change')
  const events = receiver
    ? await context.eventReceivers.listEvents(app.id, after === '' ? undefined : after, pageLength + 1)
    : []
  const isLastPage = events.length <= pageLength
  return (
    <>
      <AppHead app={app} current="events" />
      <ConsoleResult flash={flash} />
      {mayChange && <ReceiverForm app={app} receiver={receiver} flash={flash} />}
      {!mayChange && !receiver && (
        <EmptyState icon="mail" title={t('none')}>
          {t('noneWhat')}
        </EmptyState>
      )}
      {receiver && (
        <>
          <ReceiverFacts app={app} receiver={receiver} issuer={context.config.issuer} mayChange={mayChange} />
          {mayChange && <ReceiverControls app={app} receiver={receiver} />}
          <EventList
            app={app}
            events={events.slice(0, pageLength)}
            isFirstPage={after === ''}
            isLastPage={isLastPage}
          />
        </>
      )}
    </>
  )
}

export async function generateMetadata({ params }: { params: AppParams }): Promise<Metadata> {
  const [wrong, t, words] = await Promise.all([
    hasProblems('events'),
    getTranslations('consoleApps.sections'),
    getTranslations('console'),
  ])
  const title = await appTitle(params, t('events'))
  return { title: wrong ? words('problemTitle', { title }) : title }
}
