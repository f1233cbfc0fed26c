import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { SecurityResult } from '#app/(account)/account/security/security-result.tsx'
import { SubHeading } from '#app/(account)/account/security/sub-heading.tsx'
import { readTotpSetUp } from '#lib/sign-in/authenticator/set-up'
import { SetUp } from './set-up.tsx'
import { TurnOff } from './turn-off.tsx'

/** Turns the authenticator app on and off. */
export default async function AuthenticatorPage() {
  const { context, person, flashOf } = await readAccountPage('/account/security/authenticator', { fresh: true })
  const [ways, flash, t] = await Promise.all([
    context.factors.ways(person.id),
    flashOf('authenticator'),
    getTranslations('security.totp'),
  ])
  const setUp = ways.password && !ways.totpSince && (await readTotpSetUp(context, person, flash.kept.sealed))
  return (
    <>
      <SubHeading title={t('title')}>{t('lede')}</SubHeading>
      <SecurityResult flashes={[flash]} />
      {ways.totpSince && <TurnOff since={ways.totpSince} />}
      {setUp && <SetUp {...setUp} reported={flash.problems} />}
      {!ways.password && !ways.totpSince && <Notice>{t('noPassword')}</Notice>}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('security')
  const title = t('totp.title')
  return { title: (await hasProblems('authenticator')) ? t('problemTitle', { title }) : title }
}
