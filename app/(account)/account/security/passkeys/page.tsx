import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { hasProblems } from '#app/_page/visitor.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { SecurityResult } from '#app/(account)/account/security/security-result.tsx'
import { SubHeading } from '#app/(account)/account/security/sub-heading.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { PasskeyList } from './passkey-list.tsx'

/** The person's passkeys, with forms to add, rename and remove them. */
export default async function PasskeysPage() {
  const { context, person, flashOf } = await readAccountPage('/account/security/passkeys', { fresh: true })
  const [{ passkeys }, flash, t] = await Promise.all([
    context.factors.ways(person.id),
    flashOf('passkeys'),
    getTranslations('security.passkeys'),
  ])
  return (
    <>
      <SubHeading title={t('title')}>{t('lede')}</SubHeading>
      <SecurityResult flashes={[flash]} />
      {passkeys.length > 0 ? (
        <PasskeyList passkeys={passkeys} reported={flash.problems} />
      ) : (
        <EmptyState icon="passkey" title={t('empty')} />
      )}
      <AddPasskey />
      <OwnScript src="/passkey.js" />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('security')
  const title = t('passkeys.title')
  return { title: (await hasProblems('passkeys')) ? t('problemTitle', { title }) : title }
}
