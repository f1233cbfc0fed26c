import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { pathWith } from '#lib/http/redirect'
import { LoginForm } from './login-form.tsx'

/** Recovers an account by an e-mail to its address. */
export default async function RecoverPage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'recover')
  const t = await getTranslations('recover')
  const hiddenFields = destinationFields(destination)
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </InteractionHeading>
      <LoginForm hiddenFields={hiddenFields} login={kept.login ?? ''} reported={problems} />
      <p>
        {t('byCodeWhy')}
        <SentenceSpace />
        <a href={pathWith('/recover/by-code', hiddenFields)}>{t('byCode')}</a>
      </p>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recover')
  return { title: t((await hasProblems('recover')) ? 'problemTitle' : 'title') }
}
