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
import { ConfirmationForm } from './confirmation-form.tsx'

/** Asks for the code that was sent to the bound address, to confirm that mail arrives again. */
export default async function ConfirmEmailPage() {
  const { person, flashOf } = await readAccountPage('/account/email/confirm')
  if (person.email === undefined || !person.mailPausedAt) redirect('/account/email')
  const [flash, t, words] = await Promise.all([
    flashOf('email-confirm'),
    getTranslations('bindEmail.code'),
    getTranslations('mailPaused'),
  ])
  const values = { address: person.email, minutes: codeMinutes }
  return (
    <>
      <PageHeading title={words('confirmTitle')}>
        {t.rich('sent', { ...values, to: (text) => <Address>{text}</Address> })}
        <SentenceSpace />
        {words.rich('noLetter', { change: (text) => <a href="/account/email/change">{text}</a> })}
      </PageHeading>
      <Card>
        <ConfirmationForm reported={flash.problems} resent={flash.done === 'resent'} />
      </Card>
      <EvaluationInbox />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('mailPaused')
  return { title: t((await hasProblems('email-confirm')) ? 'problemTitle' : 'confirmTitle') }
}
