import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { readAccess } from '#app/_page/admin-page.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { signInFor } from '#lib/account/account-form'
import { adminHome, secondFactorPage } from '#lib/admin/paths'

/** Tells an operator to add a second factor, or to sign in with the one that they have. */
export default async function SecondFactorPage() {
  const { context, person } = await readAccountPage(secondFactorPage)
  const access = await readAccess()
  if (access === 'none') notFound()
  if (access === 'granted') redirect(adminHome)
  const [hasFactor, t] = await Promise.all([
    context.signIn.hasSecondFactor(person.id),
    getTranslations('admin.secondFactor'),
  ])
  return (
    <>
      <InteractionHeading title={t('title')}>
        <p>{t(hasFactor ? 'use' : 'add')}</p>
      </InteractionHeading>
      <Actions stacked>
        {hasFactor ? (
          <ButtonLink href={signInFor(adminHome, true)} wide>
            {t('signIn')}
          </ButtonLink>
        ) : (
          <ButtonLink href="/account/security" wide>
            {t('security')}
          </ButtonLink>
        )}
        <ButtonLink href="/account" look="quiet" wide>
          {t('back')}
        </ButtonLink>
      </Actions>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('admin.secondFactor'))('title') }
}
