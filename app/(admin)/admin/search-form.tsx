import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import styles from './search-form.module.css'

/** A search; the text is in the address of the page, so that it can be reloaded. */
export function SearchForm({ action, label, help, typed }: SearchFormProps) {
  const t = useTranslations('admin')
  return (
    <search>
      <form method="get" action={action} className={styles.search}>
        <Field
          name="q"
          type="search"
          label={label}
          help={help}
          defaultValue={typed}
          maxLength={254}
          autoComplete="off"
        />
        <div>
          <Button type="submit" id="search-submit" look="secondary">
            {t('search')}
          </Button>
        </div>
      </form>
    </search>
  )
}

type SearchFormProps = { action: string; label: string; help: string; typed: string }
