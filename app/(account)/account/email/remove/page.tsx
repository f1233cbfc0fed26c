import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { inPageLanguage } from '#app/_page/page-context.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { AppsInTheWay } from './apps-in-the-way.tsx'
import { RemovalForm } from './removal-form.tsx'

/** Explains what the person loses without an address, and lists the apps that rely on it. */
export default async function RemoveEmailPage() {
  const { context, person, flashOf } = await readAccountPage('/account/email/remove', { fresh: true })
  if (person.email === undefined) redirect('/account/email')
  const [apps, flash, t] = await Promise.all([
    context.emails.appsWithAddress(person.id),
    flashOf('email-remove'),
    getTranslations('email'),
  ])
  return (
    <>
      <PageHeading title={t('removeTitle')} />
      {apps.length > 0 ? (
        <AppsInTheWay apps={await Promise.all(apps.map(inPageLanguage))} issuer={context.config.issuer} />
      ) : (
        <RemovalForm address={person.email} isLost={flash.kept.lost === '1'} />
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('email'))('removeTitle') }
}
