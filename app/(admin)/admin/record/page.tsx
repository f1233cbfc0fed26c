import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventDays } from '#app/_ui/event-days.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { adminPages } from '#lib/admin/paths'
import { pathWith } from '#lib/http/redirect'
import { RecordLine } from './record-line.tsx'

const pageLength = 40

/** The operators' record: every look at a person and every act. */
export default async function RecordPage({ searchParams }: { searchParams: Search }) {
  const { context } = await readAdminPage()
  const after = oneOf((await searchParams).after).replaceAll('\0', '')
  const lines = await context.operatorRecord.list({}, after === '' ? undefined : after, pageLength + 1)
  const shown = lines.slice(0, pageLength)
  const t = await getTranslations('admin.record')
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      {shown.length > 0 ? (
        <EventDays events={shown} now={context.now()} line={(line) => <RecordLine key={line.id} line={line} />} />
      ) : (
        <EmptyState icon="clock" title={t('empty')} />
      )}
      <EventPages
        label={t('title')}
        {...(lines.length > pageLength && { older: pathWith(adminPages.record, { after: shown.at(-1)?.id }) })}
        {...(after !== '' && { newest: adminPages.record })}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.record'))('title') }
}
