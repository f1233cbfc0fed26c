import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems, readVisitor } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { NewAddressForm } from './new-address-form.tsx'

/** Asks for a new address. Requires a recent sign-in, since the owner of the address can recover the account. */
export default async function ChangeEmailPage() {
  const { person, flashOf } = await readAccountPage('/account/email/change', { fresh: true })
  const [flash, t] = await Promise.all([flashOf('email-change'), getTranslations('email')])
  return (
    <>
      <PageHeading title={t(person.email ? 'editTitle' : 'add')}>{t(person.email ? 'editWhy' : 'noneWhy')}</PageHeading>
      <Card>
        <NewAddressForm current={person.email} address={flash.kept.address ?? ''} reported={flash.problems} />
      </Card>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const [{ current }, t, words] = await Promise.all([
    readVisitor(),
    getTranslations('email'),
    getTranslations('account'),
  ])
  const title = t(current?.person.email ? 'editTitle' : 'add')
  return { title: (await hasProblems('email-change')) ? words('problemTitle', { title }) : title }
}
