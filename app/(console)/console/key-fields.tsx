import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '#app/_ui/button.tsx'
import { classes } from '#app/_ui/classes.ts'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import styles from './key-fields.module.css'

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

/** Makes a key pair in the browser; a script enables and fills this box. No field in it has a name, so nothing is sent. */
export function MakeKey() {
  const t = useTranslations('consoleAdvanced.makeKey')
  return (
    <div data-make-key data-ready={t('ready')} className={classes(styles.box, styles.maker)}>
      <p>{t('what')}</p>
      <div>
        <Button type="button" look="secondary" disabled data-generate icon={<Icon name="key" />}>
          {t('button')}
        </Button>
      </div>
      <p role="status" />
      <div hidden data-private className={styles.box}>
        <CodeBlock id="private-jwk" label={t('jwk')}>
          {''}
        </CodeBlock>
        <CodeBlock id="private-pem" label={t('pem')}>
          {''}
        </CodeBlock>
        <a download="private-key.pem" href="#key">
          {t('download')}
        </a>
      </div>
    </div>
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
