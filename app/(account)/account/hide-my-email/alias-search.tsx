import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import styles from './hide-my-email.module.css'

/** Searches the relay addresses; a plain form, so that the address of the page keeps the search. */
export function AliasSearch({ search, found }: { search: string; found: number }) {
  const t = useTranslations('hideMyEmail.search')
  return (
    <form method="get" action="/account/hide-my-email" className={styles.search}>
      <Field type="search" name="q" label={t('label')} autoComplete="off" maxLength={100} defaultValue={search} />
      <Button type="submit" look="secondary">
        {t('submit')}
      </Button>
      {search !== '' && (
        <p className={styles.found} role="status">
          {t('found', { count: found })} <a href="/account/hide-my-email">{t('all')}</a>
        </p>
      )}
    </form>
  )
}
