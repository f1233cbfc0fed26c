import { useTranslations } from 'next-intl'
import { ButtonLink } from './button-link.tsx'
import styles from './event-list.module.css'

/**
 * Links to the page of earlier events and to that of the latest, as far as there are such pages; `more` is the text of the
 * first link for a list that is not ordered by time.
 */
export function EventPages({ label, older, newest, more }: EventPagesProps) {
  const t = useTranslations('activity')
  if (older === undefined && newest === undefined) return null
  return (
    <nav className={styles.pages} aria-label={label}>
      {older !== undefined && (
        <ButtonLink href={older} look="secondary">
          {more ?? t('older')}
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

type EventPagesProps = { label: string; older?: string; newest?: string; more?: string }
