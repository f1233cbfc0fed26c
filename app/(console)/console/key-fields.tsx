import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Field } from '#app/_ui/field.tsx'
import { TextField } from '#app/_ui/text-field.tsx'

type KeyFieldProps = { value: string | undefined; problem: ReactNode; optional?: boolean }

/** Public keys as JWK, JWK set or PEM. */
export function KeyField({ value, problem, optional = false }: KeyFieldProps) {
  const t = useTranslations('consoleApps')
  return (
    <TextField
      label={t('key')}
      help={t(optional ? 'keyHelpNew' : 'keyHelp')}
      name="key"
      autoComplete="off"
      spellCheck={false}
      defaultValue={value}
      problem={problem}
    />
  )
}

/** The address at which an app publishes its keys. */
export function KeyAddressField({ value, problem }: KeyFieldProps) {
  const t = useTranslations('consoleApps')
  return (
    <Field
      label={t('keyAddress')}
      help={t('keyAddressHelp')}
      name="jwks_uri"
      type="url"
      autoComplete="off"
      optional
      defaultValue={value}
      problem={problem}
    />
  )
}
