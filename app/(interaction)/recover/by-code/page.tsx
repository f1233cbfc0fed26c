import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/journey-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { MeetingOf } from '#app/(interaction)/meeting-of.tsx'
import { carry } from '#lib/flow/destination'
import { RecoverByCode } from './recover-by-code.tsx'

/** The way back into an account by one of its recovery codes. */
export default async function RecoverByCodePage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'recover-by-code')
  const t = await getTranslations('recoverCode')
  return (
    <>
      <JourneyHeading
        above={<MeetingOf destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </JourneyHeading>
      <RecoverByCode carried={carry(destination)} login={kept.login ?? ''} told={problems} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recoverCode')
  return { title: t((await hasProblems('recover-by-code')) ? 'problemTitle' : 'title') }
}
