import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Address } from '#app/_mail/address.tsx'
import { EvaluationInbox } from '#app/_mail/evaluation-inbox.tsx'
import { oneOf, readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { codeMinutes } from '#lib/account/email/email-code'
import { destinationFields } from '#lib/flow/destination'
import { pathWith } from '#lib/http/redirect'
import { openStep } from '#lib/sign-in/recovery/recovery-step'
import { RecoveryCodeForm } from './recovery-code-form.tsx'

/** Asks for the code of a recovery. The page is the same when no account exists and no e-mail was sent. */
export default async function RecoverCodePage({ searchParams }: { searchParams: Search }) {
  const { context, destination, jar, problems, done } = await readSignInPage(searchParams, 'recover-code')
  const sealed = oneOf((await searchParams).step)
  const step = await openStep(context, jar, sealed, 'letter')
  const back = pathWith('/recover', destinationFields(destination))
  if (!step) redirect(back)
  const t = await getTranslations('recover.code')
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>
          {t.rich('sent', { login: step.login, minutes: codeMinutes, who: (text) => <Address>{text}</Address> })}
          <SentenceSpace />
          <a href={back}>{t('change')}</a>
        </p>
      </InteractionHeading>
      <RecoveryCodeForm
        hiddenFields={{ ...destinationFields(destination), step: sealed }}
        back={pathWith('/signin', destinationFields(destination))}
        reported={problems}
        resent={done === 'resent'}
      />
      <EvaluationInbox />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recover.code')
  return { title: t((await hasProblems('recover-code')) ? 'problemTitle' : 'title') }
}
