import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/journey-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { MeetingOf } from '#app/(interaction)/meeting-of.tsx'
import { carry } from '#lib/flow/destination'
import { TwoFactorForm } from './two-factor-form.tsx'

/** The second step after a right password: six digits of an app, or a recovery code. */
export default async function TwoFactorPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems } = await readSignInPage(searchParams, 'two-factor')
  const t = await getTranslations('twoFactor')
  return (
    <>
      <JourneyHeading
        above={<MeetingOf destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </JourneyHeading>
      <TwoFactorForm carried={carry(destination)} told={problems} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('twoFactor')
  return { title: t((await hasProblems('two-factor')) ? 'problemTitle' : 'title') }
}
