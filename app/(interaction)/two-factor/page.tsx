import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { TwoFactorForm } from './two-factor-form.tsx'

/** Asks for the second factor after a correct password: a code of the authenticator app, or a recovery code. */
export default async function TwoFactorPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems } = await readSignInPage(searchParams, 'two-factor')
  const t = await getTranslations('twoFactor')
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </InteractionHeading>
      <TwoFactorForm hiddenFields={destinationFields(destination)} reported={problems} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('twoFactor')
  return { title: t((await hasProblems('two-factor')) ? 'problemTitle' : 'title') }
}
