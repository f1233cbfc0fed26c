import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { localPath } from '#lib/http/redirect'
import { offerPath } from '#lib/sign-in/passkey/offer-passkey'
import { OfferForms } from './offer-forms.tsx'

/** Offers a passkey after a sign-in to the account with a password; never on the way to an app. */
export default async function PasskeyOfferPage({ searchParams }: { searchParams: Search }) {
  const to = localPath(oneOf((await searchParams).to))
  const { context, person, flashOf } = await readAccountPage(offerPath(to))
  const [{ passkeys }, flash, t] = await Promise.all([
    context.factors.ways(person.id),
    flashOf('passkey-offer'),
    getTranslations('passkeyOffer'),
  ])
  if (passkeys.length > 0) redirect(to)
  return (
    <>
      <InteractionHeading title={t('title')}>
        <p>{t('what')}</p>
      </InteractionHeading>
      <OfferForms to={to} reported={flash.problems} />
      <OwnScript src="/passkey.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('passkeyOffer')
  return { title: t((await hasProblems('passkey-offer')) ? 'problemTitle' : 'pageTitle') }
}
