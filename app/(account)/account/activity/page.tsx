import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import type { Search } from '#app/_page/interaction-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { kindGroups, kindsOf } from '#lib/account/activity/kind-groups'
import { pathWith } from '#lib/http/redirect'
import { ActivityFilter } from './activity-filter.tsx'
import { ActivityLine } from './activity-line.tsx'
import { readMoment } from './read-moment.ts'

const pageLength = 40

/** The activity of the account. */
export default async function ActivityPage({ searchParams }: { searchParams: Search }) {
  const { context, person } = await readAccountPage('/account/activity')
  const sent = await searchParams
  const before = readMoment(sent.before)
  const about = kindGroups.find((group) => group === sent.about)
  const kinds = about && kindsOf(about)
  const activities = await context.activity.list(person.id, before, pageLength, kinds)
  const last = activities.at(-1)
  const more = last !== undefined && (await context.activity.list(person.id, last.at, 1, kinds)).length > 0
  const pageOf = (query: Record<string, string | undefined>) => pathWith('/account/activity', query)
  const t = await getTranslations('activity')
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <div>
        <ButtonLink href="/account/security" look="secondary">
          {t('secure')}
        </ButtonLink>
      </div>
      <ActivityFilter about={about} />
      {last ? (
        <EventDays
          events={activities}
          now={context.now()}
          line={(activity, index) => <ActivityLine key={index} activity={activity} />}
        />
      ) : (
        <EmptyState icon="clock" title={t(before ? 'noEarlier' : about ? 'noneOfKind' : 'empty')}>
          {!before && !about && t('emptyWhat')}
        </EmptyState>
      )}
      <EventPages
        label={t('title')}
        {...(more && { older: pageOf({ about, before: last.at.toISOString() }) })}
        {...(before && { newest: pageOf({ about }) })}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('activity'))('title') }
}
