import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Field } from '#app/_ui/field.tsx'
import { nameFields } from '#lib/text/localized-name'

/** The names of an app in the languages of the pages; opened where one is given or wrong. */
export function NameFields({ values, of }: { values: Record<string, string>; of: (field: string) => ReactNode }) {
  const t = useTranslations('consoleNames')
  return (
    <details open={nameFields.some((field) => values[field] || of(field))}>
      <summary>{t('title')}</summary>
      <p>{t('what')}</p>
      {nameFields.map((field) => (
        <Field
          key={field}
          label={t(field)}
          name={field}
          autoComplete="off"
          optional
          defaultValue={values[field]}
          problem={of(field)}
        />
      ))}
    </details>
  )
}
