import { useTranslations } from 'next-intl'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { pathWith } from '#lib/http/redirect'
import styles from './to-sign-in.module.css'

/** Links to the sign-in page, with the same destination. */
export function ToSignIn({ hiddenFields }: { hiddenFields: Record<string, string> }) {
  const t = useTranslations('signup')
  return (
    <p className={styles.other}>
      {t('have')}
      <SentenceSpace />
      <a href={pathWith('/signin', hiddenFields)}>{t('signIn')}</a>
    </p>
  )
}
