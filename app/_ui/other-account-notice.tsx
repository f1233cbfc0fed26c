import { getTranslations } from 'next-intl/server'
import { readFlashHere } from '#app/_page/visitor.ts'
import { otherAccount } from '#lib/account/account-form'
import { Notice } from './notice.tsx'

/** Says that the form that was just sent had been shown to another account of this browser. */
export async function OtherAccountNotice() {
  if (!(await readFlashHere(otherAccount))) return null
  const t = await getTranslations('otherAccount')
  return (
    <Notice kind="attention" title={t('title')} live>
      {t('text')}
    </Notice>
  )
}
