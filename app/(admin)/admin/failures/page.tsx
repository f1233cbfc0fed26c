import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { readMoment } from '#app/(account)/account/activity/read-moment.ts'
import { adminPages } from '#lib/admin/paths'
import { pathWith } from '#lib/http/redirect'
import { FailureLine } from './failure-line.tsx'

const pageLength = 50

/** The failures of all apps, the newest first. */
export default async function FailuresPage({ searchParams }: { searchParams: Search }) {
  const { context } = await readAdminPage()
  const before = readMoment(oneOf((await searchParams).before))
  const failures = await context.failuresOfApps.list(before, pageLength)
  const t = await getTranslations('admin.failures')
  const last = failures.length >= pageLength ? failures.at(-1)?.lastAt : undefined
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      {failures.length > 0 ? (
        <EventDays
          events={failures.map((failure) => ({ ...failure, at: failure.lastAt }))}
          now={context.now()}
          line={(failure) => <FailureLine key={failure.id} failure={failure} />}
        />
      ) : (
        <EmptyState icon="check" title={t('none')} />
      )}
      <EventPages
        label={t('title')}
        {...(last && { older: pathWith(adminPages.failures, { before: last.toISOString() }) })}
        {...(before && { newest: adminPages.failures })}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.failures'))('title') }
}
