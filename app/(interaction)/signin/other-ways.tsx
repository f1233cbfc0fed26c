import { useTranslations } from 'next-intl'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { pathWith } from '#lib/http/redirect'
import styles from './other-ways.module.css'

/** Links to the sign-up page, with the same destination. */
export function OtherWays({ hiddenFields, signUp }: { hiddenFields: Record<string, string>; signUp: boolean }) {
  const t = useTranslations('signin')
  if (!signUp) return null
  return (
    <p className={styles.other}>
      {t('noAccount')}
      <SentenceSpace />
      <a href={pathWith('/signup', hiddenFields)}>{t('create')}</a>
    </p>
  )
}
