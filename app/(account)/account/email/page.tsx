import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { MailPaused } from '#app/(account)/account/mail-paused.tsx'
import { undoDays } from '#lib/account/email/undo'
import { BoundAddress } from './bound-address.tsx'

/** The bound address, and links to change or remove it (spec §2.7). */
export default async function EmailPage() {
  const { person, flashOf } = await readAccountPage('/account/email')
  const [code, removal, confirmation, t, words] = await Promise.all([
    flashOf('email-code'),
    flashOf('email-remove'),
    flashOf('email-confirm'),
    getTranslations('email'),
    getTranslations('mailPaused'),
  ])
  const done = outcomes.find((one) => one === code.done || one === removal.done)
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      {done && (
        <Notice kind="success" live title={t(`done.${done}`)}>
          {done.endsWith('for_good') && t('done.forGoodWhy')}
          {(done === 'changed' || done === 'removed') && t('done.changedWhy', { days: undoDays })}
        </Notice>
      )}
      {confirmation.done === 'confirmed' && (
        <Notice kind="success" live title={words('done')}>
          {words('doneWhy')}
        </Notice>
      )}
      <MailPaused person={person} />
      {person.email === undefined ? (
        <EmptyState
          icon="mail"
          title={t('none')}
          action={<ButtonLink href="/account/email/change">{t('add')}</ButtonLink>}
        >
          {t('noneWhy')}
        </EmptyState>
      ) : (
        <BoundAddress address={person.email} />
      )}
    </>
  )
}

const outcomes = ['bound', 'changed', 'changed_for_good', 'removed', 'removed_for_good'] as const

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('email'))('title') }
}
