import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { SecurityResult } from './security-result.tsx'
import { Sessions } from './sessions.tsx'
import { SignOutOthers } from './sign-out-others.tsx'
import { WayBack } from './way-back.tsx'
import { Ways } from './ways.tsx'

/** The sign-in methods and the sessions of the person. */
export default async function SecurityPage() {
  const { context, person, session, flashOf } = await readAccountPage('/account/security')
  const forms = ['security', 'security-password', 'authenticator', 'codes']
  const [ways, sessions, flashes, t] = await Promise.all([
    context.factors.ways(person.id),
    context.sessions.list(person.id, context.now()),
    Promise.all(forms.map(flashOf)),
    getTranslations('security'),
  ])
  return (
    <>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <SecurityResult flashes={flashes} />
      <WayBack ways={ways} />
      <Ways ways={ways} />
      <Sessions sessions={sessions} own={session.publicId} />
      {sessions.length > 1 && <SignOutOthers />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('security'))('title') }
}
