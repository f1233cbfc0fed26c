import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { searchLimit } from '#lib/account/hide-my-email/search-aliases'
import styles from './alias-search.module.css'

/** Searches the relay addresses: a plain GET form, so that a result has an address. */
export function AliasSearch({ search, found, all }: { search: string; found: number; all: number }) {
  const t = useTranslations('hideMyEmail.search')
  return (
    <search className={styles.area}>
      <form method="get" action="/account/hide-my-email" className={styles.search}>
        <Field
          name="q"
          type="search"
          label={t('label')}
          defaultValue={search}
          maxLength={searchLimit}
          autoComplete="off"
        />
        <Button type="submit" id="alias-search" look="secondary">
          {t('find')}
        </Button>
      </form>
      {search && (
        <p className={styles.result}>
          {t('found', { found, all })} <a href="/account/hide-my-email">{t('clear')}</a>
        </p>
      )}
    </search>
  )
}
