import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { SecurityResult } from '#app/(account)/account/security/security-result.tsx'
import { SubHeading } from '#app/(account)/account/security/sub-heading.tsx'
import { readShownCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { MakeCodes } from './make-codes.tsx'
import { NewCodes } from './new-codes.tsx'

/** The recovery codes: shown right after they were made; later the number of unused ones. */
export default async function CodesPage() {
  const { context, person, flashOf } = await readAccountPage('/account/security/codes', { fresh: true })
  const [{ codes }, shown, flashes, t] = await Promise.all([
    context.factors.ways(person.id),
    readShownCodes(context, (await cookies()).toString()),
    Promise.all(['codes', 'authenticator'].map(flashOf)),
    getTranslations('security.codes'),
  ])
  return (
    <>
      <SubHeading title={t('title')}>{t('lede')}</SubHeading>
      <SecurityResult flashes={flashes} />
      {shown ? <NewCodes codes={shown} person={person} config={context.config} /> : <MakeCodes known={codes} />}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('security'))('codes.title') }
}
