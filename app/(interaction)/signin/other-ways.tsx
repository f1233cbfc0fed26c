import { useTranslations } from 'next-intl'
import { Joint } from '#app/_ui/joint.tsx'
import { pathWith } from '#lib/http/redirect'
import styles from './other-ways.module.css'

/** For whoever has no account yet; the way they were on stays. */
export function OtherWays({ carried, signUp }: { carried: Record<string, string>; signUp: boolean }) {
  const t = useTranslations('signin')
  if (!signUp) return null
  return (
    <p className={styles.other}>
      {t('noAccount')}
      <Joint />
      <a href={pathWith('/signup', carried)}>{t('create')}</a>
    </p>
  )
}
