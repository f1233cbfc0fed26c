import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import type { Search } from '#app/_page/interaction-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { SubHeading } from '#app/(account)/account/security/sub-heading.tsx'
import { pathWith } from '#lib/http/redirect'
import { PasswordForm } from './password-form.tsx'

/** Sets a first or new password; requires a recent sign-in. */
export default async function PasswordPage({ searchParams }: { searchParams: Search }) {
  const { secure } = await searchParams
  const way = typeof secure === 'string' ? secure.slice(0, 24) : undefined
  const { context, person, flashOf } = await readAccountPage(pathWith('/account/security/password', { secure: way }), {
    fresh: true,
  })
  const [ways, flash, t] = await Promise.all([
    context.factors.ways(person.id),
    flashOf('security-password'),
    getTranslations('security.password'),
  ])
  return (
    <>
      <SubHeading title={t(ways.password ? 'titleChange' : 'titleSet')}>
        {t('lede', { service: context.config.serviceName })}
      </SubHeading>
      <PasswordForm username={person.username} reported={flash.problems} said={flash.kept.strength} secure={way} />
      <OwnScript src="/password-strength.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('security')
  const title = t('password.titleChange')
  return { title: (await hasProblems('security-password')) ? t('problemTitle', { title }) : title }
}
