import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Address } from '#app/_mail/address.tsx'
import { EvaluationInbox } from '#app/_mail/evaluation-inbox.tsx'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Card } from '#app/_ui/card.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { codeMinutes } from '#lib/account/email/email-code'
import { AddressCodeForm } from './address-code-form.tsx'

/** Asks for the code that was sent to the new address. */
export default async function EmailCodePage() {
  const { context, person, flashOf } = await readAccountPage('/account/email/code', { fresh: true })
  const [code, flash, t] = await Promise.all([
    context.emails.findCode(person.id, 'bind'),
    flashOf('email-code'),
    getTranslations('bindEmail.code'),
  ])
  if (!code || code.address === person.email) redirect('/account/email')
  const values = { address: code.address, minutes: codeMinutes }
  return (
    <>
      <PageHeading title={t('heading')}>
        {t.rich('sent', { ...values, to: (text) => <Address>{text}</Address> })}
        <SentenceSpace />
        <a href="/account/email/change">{t('change')}</a>
      </PageHeading>
      <Card>
        <AddressCodeForm
          before={person.email}
          after={code.address}
          reported={flash.problems}
          resent={flash.done === 'resent'}
          isLost={flash.kept.lost === '1'}
        />
      </Card>
      <EvaluationInbox />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('bindEmail.code')
  return { title: t((await hasProblems('email-code')) ? 'problemTitle' : 'title') }
}
