import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import styles from '#app/(account)/account/hide-my-email/hide-my-email.module.css'
import { useAliasProblems } from '#app/(account)/account/hide-my-email/outcome.tsx'
import { aliasWordLimits } from '#lib/account/hide-my-email/alias-words'
import type { Flash } from '#lib/http/flash'

/** The form that makes an address; `onceKey` lets a repeated submission make no second one. */
export function MakeForm({ session, onceKey, flash, count }: MakeFormProps) {
  const t = useTranslations('hideMyEmail.make')
  const problem = useAliasProblems(flash).find(({ field }) => field === 'label')?.text
  return (
    <Card>
      <Form action="/account/hide-my-email/make">
        <HiddenFields values={{ session, key: onceKey }} />
        <Field
          name="label"
          label={t('label')}
          help={t('labelHelp', { most: aliasWordLimits.label })}
          defaultValue={flash.kept.label ?? ''}
          problem={problem}
          autoComplete="off"
          autoFocus
        />
        <p>
          {t('senders')}
          <SentenceSpace />
          {t('replies')}
        </p>
        <Actions>
          <Button type="submit" id="alias-make" busyText={t('busy')}>
            {t('submit')}
          </Button>
        </Actions>
        <p className={styles.help}>{t('count', count)}</p>
      </Form>
    </Card>
  )
}

type MakeFormProps = { session: string; onceKey: string; flash: Flash; count: { made: number; most: number } }
