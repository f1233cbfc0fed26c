import { useTranslations } from 'next-intl'
import { Joint } from '#app/_ui/joint.tsx'
import { pathWith } from '#lib/http/redirect'
import styles from './to-sign-in.module.css'

/** For whoever has an account already; the way they were on stays. */
export function ToSignIn({ carried }: { carried: Record<string, string> }) {
  const t = useTranslations('signup')
  return (
    <p className={styles.other}>
      {t('have')}
      <Joint />
      <a href={pathWith('/signin', carried)}>{t('signIn')}</a>
    </p>
  )
}
