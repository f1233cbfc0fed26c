import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Address } from '#app/_mail/address.tsx'
import { EvaluationInbox } from '#app/_mail/evaluation-inbox.tsx'
import type { Search } from '#app/_page/journey-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Joint } from '#app/_ui/joint.tsx'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { Meeting } from '#app/_ui/meeting.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { readBinding } from '#app/(interaction)/bind-email/read-binding.ts'
import { codeMinutes } from '#lib/account/email/email-code'
import { pathWith } from '#lib/http/redirect'
import { BindingCodeForm } from './binding-code-form.tsx'

/** The code from the letter that went to the address (security checklist, "Short codes"). */
export default async function BindEmailCodePage({ searchParams }: { searchParams: Search }) {
  const { context, client, sealed, current, problems, done } = await readBinding(searchParams, 'bind-code')
  const code = await context.emails.findCode(current.person.id, 'bind')
  const back = pathWith('/bind-email', { request: sealed })
  if (!code) redirect(back)
  const t = await getTranslations('bindEmail.code')
  return (
    <>
      <JourneyHeading
        above={<Meeting app={client.name} logo={pictureUrl(context.config.issuer, client.logoFile)} />}
        title={t('heading')}
      >
        <p>
          {t.rich('sent', { address: code.address, minutes: codeMinutes, to: (text) => <Address>{text}</Address> })}
          <Joint />
          <a href={back}>{t('change')}</a>
        </p>
      </JourneyHeading>
      <BindingCodeForm
        carried={{ request: sealed, session: current.session.publicId }}
        told={problems}
        resent={done === 'resent'}
      />
      <EvaluationInbox />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('bindEmail.code')
  return { title: t((await hasProblems('bind-code')) ? 'problemTitle' : 'title') }
}
