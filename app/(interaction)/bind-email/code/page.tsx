import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Address } from '#app/_mail/address.tsx'
import { EvaluationInbox } from '#app/_mail/evaluation-inbox.tsx'
import type { Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { readBinding } from '#app/(interaction)/bind-email/read-binding.ts'
import { codeMinutes } from '#lib/account/email/email-code'
import { pathWith } from '#lib/http/redirect'
import { BindingCodeForm } from './binding-code-form.tsx'

/** Asks for the code that was sent to the address (security checklist, "Short codes"). */
export default async function BindEmailCodePage({ searchParams }: { searchParams: Search }) {
  const { context, client, sealed, current, languages, problems, done } = await readBinding(searchParams, 'bind-code')
  const code = await context.emails.findCode(current.person.id, 'bind')
  const back = pathWith('/bind-email', { request: sealed, ui_locales: languages })
  if (!code) redirect(back)
  const t = await getTranslations('bindEmail.code')
  return (
    <>
      <InteractionHeading
        above={<LinkedMarks app={client.name} logo={pictureUrl(context.config.issuer, client.logoFile)} />}
        title={t('heading')}
      >
        <p>
          {t.rich('sent', { address: code.address, minutes: codeMinutes, to: (text) => <Address>{text}</Address> })}
          <SentenceSpace />
          <a href={back}>{t('change')}</a>
        </p>
      </InteractionHeading>
      <BindingCodeForm
        hiddenFields={{ request: sealed, session: current.session.publicId }}
        reported={problems}
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
