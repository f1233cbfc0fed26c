import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { wordLimits } from '#lib/account/hide-my-email/describe-alias'
import type { Flash } from '#lib/http/flash'
import { AliasForm } from './alias-form.tsx'
import type { ShownAlias } from './shown-alias.ts'

/** The owner's own words for a relay address. */
export function WordsCard({ flash, ...shown }: ShownAlias & { flash: Flash }) {
  const t = useTranslations('hideMyEmail.words')
  const { label, note } = { ...shown.alias, ...flash.kept }
  const problems = flash.problems.flatMap(({ field, code }) => {
    const known = codes.find((one) => one === code)
    return known && field ? [{ field, text: t(`problems.${known}`, { most: wordLimits[field as 'label'] }) }] : []
  })
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <Card title={t('title')}>
      <AliasForm action="words" shown={shown}>
        <ProblemSummary problems={problems} />
        <Field label={t('label')} name="label" autoComplete="off" optional defaultValue={label} problem={of('label')} />
        <TextField label={t('note')} name="note" optional help={t('help')} defaultValue={note} problem={of('note')} />
        <Actions>
          <Button type="submit" id="alias-words" look="secondary" busyText={t('saving')}>
            {t('save')}
          </Button>
        </Actions>
      </AliasForm>
    </Card>
  )
}

const codes = ['label_long', 'label_characters', 'note_long', 'note_characters'] as const
