import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readSignInPage, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { DestinationMarks } from '#app/(interaction)/destination-marks.tsx'
import { destinationFields } from '#lib/flow/destination'
import { RecoverByCode } from './recover-by-code.tsx'

/** Recovers an account by one of its recovery codes. */
export default async function RecoverByCodePage({ searchParams }: { searchParams: Search }) {
  const { context, destination, problems, kept } = await readSignInPage(searchParams, 'recover-by-code')
  const t = await getTranslations('recoverCode')
  return (
    <>
      <InteractionHeading
        above={<DestinationMarks destination={destination} issuer={context.config.issuer} />}
        title={t('heading')}
      >
        <p>{t('lede')}</p>
      </InteractionHeading>
      <RecoverByCode hiddenFields={destinationFields(destination)} login={kept.login ?? ''} reported={problems} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recoverCode')
  return { title: t((await hasProblems('recover-by-code')) ? 'problemTitle' : 'title') }
}
