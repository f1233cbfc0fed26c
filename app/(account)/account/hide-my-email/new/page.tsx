import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { BackLink } from '#app/_ui/back-link.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { NoInbox } from '#app/(account)/account/hide-my-email/no-inbox.tsx'
import { Outcome } from '#app/(account)/account/hide-my-email/outcome.tsx'
import { countByHand } from '#lib/account/hide-my-email/make-alias'
import { MakeForm } from './make-form.tsx'

/** Makes a relay address for a site that is no app (issue "A product people enjoy", item 15). */
export default async function NewAddressPage() {
  const { context, session, person, flashOf } = await readAccountPage('/account/hide-my-email/new')
  const { offersRelay, mostByHand: most } = context.config
  if (!offersRelay || most === 0) notFound()
  const [aliases, flash, t] = await Promise.all([
    context.hideMyEmail.listAliases(person.id),
    flashOf('hide-my-email'),
    getTranslations('hideMyEmail'),
  ])
  const made = countByHand(aliases)
  return (
    <>
      <BackLink href="/account/hide-my-email">{t('back')}</BackLink>
      <PageHeading title={t('make.title')}>{t('make.lede')}</PageHeading>
      <Outcome flash={flash} />
      {person.email === undefined ? (
        <NoInbox />
      ) : made >= most ? (
        <Notice kind="attention" title={t('make.full', { most })}>
          {t('make.fullWhat')}
        </Notice>
      ) : (
        <MakeForm
          session={session.publicId}
          onceKey={context.random(16).toString('base64url')}
          flash={flash}
          count={{ made, most }}
        />
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('hideMyEmail.make'))('title') }
}
