import { getTranslations } from 'next-intl/server'
import { readFlashHere, readVisitor } from '#app/_page/visitor.ts'
import { otherAccount } from '#lib/account/account-form'
import { isFresh } from '#lib/account/signed-in/step-up'
import { Notice } from './notice.tsx'

/**
 * Says that the form that was just sent was not carried out: it had been shown to another account of this browser, or the
 * person had to confirm who they are first.
 */
export async function NotCarriedOutNotice() {
  const [flash, { context, current }] = await Promise.all([readFlashHere(), readVisitor()])
  const isConfirmed = flash?.needsSignIn && current && isFresh(current, context.now())
  const reason = flash?.form === otherAccount ? 'otherAccount' : isConfirmed ? 'confirmed' : undefined
  if (!reason) return null
  const t = await getTranslations(reason)
  return (
    <Notice kind="attention" title={t('title')} live>
      {t('text')}
    </Notice>
  )
}
