import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { readVisitor } from '#app/_page/visitor.ts'
import { Day } from '#app/_ui/day.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { localPath } from '#lib/http/redirect'
import { readReview } from '#lib/sign-in/recovery/recovery-review'
import { ReviewForm } from './review-form.tsx'
import { SignedOut } from './signed-out.tsx'

const sinceWhat = { letter: 'sinceAddress', code: 'sinceCodes', operator: 'sinceOperator' } as const

/** The review after a recovery: what ended, and which credentials still work. */
export default async function RecoverReviewPage({ searchParams }: { searchParams: Search }) {
  const { step: sealed, to } = await searchParams
  const [{ context, jar }, hiddenFields] = [await readVisitor(), { step: oneOf(sealed), to: localPath(oneOf(to)) }]
  const review = await readReview(context, jar, hiddenFields.step)
  if (!review) redirect(hiddenFields.to)
  const t = await getTranslations('recover.review')
  const { since, step, leftovers, signedOut, current } = review
  return (
    <>
      <InteractionHeading title={t('heading')}>
        <p>{t.rich(sinceWhat[step.by], { time: () => <Day at={since} /> })}</p>
      </InteractionHeading>
      <SignedOut sessions={signedOut} kept={!step.signedOut} />
      <ReviewForm
        hiddenFields={hiddenFields}
        leftovers={leftovers}
        address={step.by !== 'letter' ? current.person.email : undefined}
      />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recover.review'))('title') }
}
