import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/journey-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Joint } from '#app/_ui/joint.tsx'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'
import { MeetingOf } from '#app/(interaction)/meeting-of.tsx'
import { carry } from '#lib/flow/destination'
import { pathWith } from '#lib/http/redirect'
import { LoginForm } from './login-form.tsx'

/** The way back into an account, by a letter to its address. */
export default async function RecoverPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'recover')
  const t = await getTranslations('recover')
  const carried = carry(destination)
  return (
    <>
      <JourneyHeading
        above={<MeetingOf destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </JourneyHeading>
      <LoginForm carried={carried} login={kept.login ?? ''} told={problems} />
      <p>
        {t('byCodeWhy')}
        <Joint />
        <a href={pathWith('/recover/by-code', carried)}>{t('byCode')}</a>
      </p>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recover')
  return { title: t((await hasProblems('recover')) ? 'problemTitle' : 'title') }
}
