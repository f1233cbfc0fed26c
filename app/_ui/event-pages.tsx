import { useTranslations } from 'next-intl'
import { ButtonLink } from './button-link.tsx'
import styles from './event-list.module.css'

/** Links to the page of earlier events and to that of the latest, as far as there are such pages. */
export function EventPages({ label, older, newest }: { label: string; older?: string; newest?: string }) {
  const t = useTranslations('activity')
  if (older === undefined && newest === undefined) return null
  return (
    <nav className={styles.pages} aria-label={label}>
      {older !== undefined && (
        <ButtonLink href={older} look="secondary">
          {t('older')}
        </ButtonLink>
      )}
      {newest !== undefined && (
        <ButtonLink href={newest} look="quiet">
          {t('newest')}
        </ButtonLink>
      )}
    </nav>
  )
}
