import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { useAliasProblems } from '#app/(account)/account/hide-my-email/outcome.tsx'
import { aliasWordLimits } from '#lib/account/hide-my-email/alias-words'
import type { Flash } from '#lib/http/flash'
import { AliasForm } from './alias-form.tsx'
import type { ShownAlias } from './shown-alias.ts'

/** The person's own words for the address; apps and senders never see them. */
export function WordsCard({ flash, ...shown }: ShownAlias & { flash: Flash }) {
  const t = useTranslations('hideMyEmail.words')
  const problems = useAliasProblems(flash)
  const { byHand } = shown.alias
  const field = (name: 'label' | 'note') => ({
    name,
    label: t(name),
    defaultValue: flash.kept[name] ?? shown.alias[name],
    problem: problems.find((problem) => problem.field === name)?.text,
    autoComplete: 'off',
  })
  return (
    <Card title={t('title')}>
      <p>{t('private')}</p>
      <AliasForm action="describe" shown={shown}>
        <Field
          {...field('label')}
          help={t(byHand ? 'labelHelpByHand' : 'labelHelp', { most: aliasWordLimits.label })}
          optional={!byHand}
        />
        <TextField {...field('note')} rows={3} help={t('noteHelp', { most: aliasWordLimits.note })} optional />
        <div>
          <Button type="submit" id="alias-words" look="secondary" busyText={t('saving')}>
            {t('save')}
          </Button>
        </div>
      </AliasForm>
    </Card>
  )
}
