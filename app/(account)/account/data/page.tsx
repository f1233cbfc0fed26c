import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { isLeaving } from '#lib/account/data/deletion'
import { isFresh } from '#lib/account/signed-in/step-up'
import { DataResult } from './data-result.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { DownloadCard } from './download-card.tsx'

/** The download of the person's data, and the deletion of the account. */
export default async function DataPage() {
  const { context, person, session, flashOf } = await readAccountPage('/account/data')
  const [asked, kept, aliases, t] = await Promise.all([
    flashOf('delete'),
    flashOf('keep'),
    context.hideMyEmail.listAliases(person.id),
    getTranslations('data'),
  ])
  const leaving = isLeaving(person)
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <DataResult done={leaving ? asked.done : kept.done} />
      <DownloadCard fresh={isFresh({ person, session }, context.now())} aliases={aliases.length > 0} />
      {!leaving && <DeletionCard />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('data'))('title') }
}
