import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { readPending } from '#lib/sign-in/second-factor/pending'
import { TwoFactorForm } from './two-factor-form.tsx'

/**
 * Asks for the second factor after a correct password, or before a recovery stores the new one: a code of the
 * authenticator app, or a recovery code.
 */
export default async function TwoFactorPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, jar, problems } = await readSignInPage(searchParams, 'two-factor')
  const t = await getTranslations('twoFactor')
  const steps = await getTranslations('recover.steps')
  const isRecovery = (await readPending(context, jar))?.reset !== undefined
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={isRecovery ? steps('heading') : t('heading')}
      >
        {isRecovery && <p>{steps('step', { step: 2 })}</p>}
        <p>{isRecovery ? steps('lede') : t('lede')}</p>
      </InteractionHeading>
      <TwoFactorForm hiddenFields={destinationFields(destination)} reported={problems} isRecovery={isRecovery} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('twoFactor')
  return { title: t((await hasProblems('two-factor')) ? 'problemTitle' : 'title') }
}
