import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Address } from '#app/_mail/address.tsx'
import { oneOf, readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { pathWith } from '#lib/http/redirect'
import { openStep } from '#lib/sign-in/recovery/recovery-step'
import { NewPasswordForm } from './new-password-form.tsx'

/** Sets the new password of a recovered account. */
export default async function RecoverPasswordPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, jar, problems, kept } = await readSignInPage(searchParams, 'recover-password')
  const sealed = oneOf((await searchParams).step)
  const step = await openStep(context, jar, sealed, 'password')
  const person = step && (await context.recoveries.findRecovering(step.personId, context.now()))
  if (!person) redirect(pathWith('/recover', destinationFields(destination)))
  const { username } = person
  const asksFactor = !step.removesSecondFactor && (await context.factors.hasTotp(step.personId))
  const steps = await getTranslations('recover.steps')
  const t = await getTranslations('recover.password')
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        {asksFactor && <p>{steps('step', { step: 1 })}</p>}
        <p>{t.rich('lede', { username, who: (text) => <Address>{text}</Address> })}</p>
        {step.removesSecondFactor && <p>{t('removesSecondFactor')}</p>}
      </InteractionHeading>
      <NewPasswordForm
        hiddenFields={{ ...destinationFields(destination), step: sealed }}
        username={username}
        asksFactor={asksFactor}
        reported={problems}
        said={kept.strength}
      />
      <OwnScript src="/password-strength.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recover.password')
  return { title: t((await hasProblems('recover-password')) ? 'problemTitle' : 'title') }
}
