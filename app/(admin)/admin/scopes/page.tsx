import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAdminPage } from '#app/_page/admin-page.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { AdminResult } from '#app/(admin)/admin/admin-result.tsx'
import { mayDo } from '#lib/console/roles'
import { DecideScopes } from './decide-scopes.tsx'

/** The most apps, and the most APIs, on the page. */
const most = 25

/** The sensitive scopes that wait for an operator, the longest wait first. */
export default async function ScopesPage() {
  const { context, flashOf } = await readAdminPage()
  if (!mayDo('operator', 'scopes.decide')) notFound()
  const [waiting, flash, t] = await Promise.all([
    context.scopeQueue.list(most),
    flashOf('admin-scopes'),
    getTranslations('admin.scopes'),
  ])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <AdminResult flash={flash} />
      {!context.config.reviewsScopes && <Notice title={t('off')}>{t('offWhat')}</Notice>}
      {waiting.length === 0 && <EmptyState icon="check" title={t('empty')} />}
      {waiting.map((one) => (
        <DecideScopes key={`${one.of} ${one.id}`} waiting={one} flash={flash} />
      ))}
      {waiting.length >= most && <p>{t('most', { count: waiting.length })}</p>}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.scopes'))('title') }
}
