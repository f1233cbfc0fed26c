import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { type ActivityQuery, searchLimit } from '#lib/account/activity/filter-activity'
import { pathWith } from '#lib/http/redirect'
import styles from './activity-search.module.css'

/** Finds events of an app or by their words: a plain GET form, so that a result has an address. */
export function ActivitySearch({ query, apps }: { query: ActivityQuery; apps: string[] }) {
  const t = useTranslations('activity.find')
  const isFound = query.app !== '' || query.search !== ''
  return (
    <search>
      <form method="get" action="/account/activity" className={styles.filter}>
        {query.about && <HiddenFields values={{ about: query.about }} />}
        {apps.length > 0 && (
          <SelectField
            name="app"
            label={t('app')}
            defaultValue={query.app}
            items={[{ value: '', label: t('anyApp') }, ...apps.map((app) => ({ value: app, label: app }))]}
          />
        )}
        <Field
          name="q"
          type="search"
          label={t('search')}
          defaultValue={query.search}
          maxLength={searchLimit}
          autoComplete="off"
        />
        <div className={styles.actions}>
          <Button type="submit" id="activity-filter" look="secondary">
            {t('apply')}
          </Button>
          {isFound && <a href={pathWith('/account/activity', { about: query.about })}>{t('clear')}</a>}
        </div>
      </form>
    </search>
  )
}
