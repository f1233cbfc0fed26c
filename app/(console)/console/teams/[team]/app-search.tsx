import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { teamPage } from '#lib/console/paths'
import styles from './app-search.module.css'

/** Searches the apps of a team by name or client_id: a plain GET form, so that a result has an address. */
export function AppSearch({ team, search }: { team: string; search: string }) {
  const t = useTranslations('console.overview')
  return (
    <search>
      <form method="get" action={teamPage(team)} className={styles.search}>
        <Field name="search" label={t('search')} defaultValue={search} maxLength={100} type="search" />
        <Button type="submit" id="app-search" look="secondary">
          {t('find')}
        </Button>
      </form>
    </search>
  )
}
