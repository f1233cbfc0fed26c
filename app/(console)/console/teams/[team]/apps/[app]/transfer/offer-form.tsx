import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { TeamApp } from '#lib/console/app/store'
import type { OwnTeam } from '#lib/console/team/store'
import type { Flash } from '#lib/http/flash'

/** Asks for the receiving team: another team of the person, or any team by its id. */
export function OfferForm({ app, others, flash, isFresh }: OfferFormProps) {
  const t = useTranslations('consoleTransfer')
  const words = useTranslations('console')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field === 'to'))
  const { to } = flash.done ? {} : flash.kept
  const own = others.some(({ id }) => id === to) ? to : ''
  return (
    <Form action="/console/app/offer">
      <ProblemSummary problems={problems} />
      <HiddenFields values={{ team: app.teamId, app: app.id }} />
      {others.length > 0 && (
        <SelectField
          label={t('ownTeam')}
          name="to_own"
          defaultValue={own}
          items={[{ value: '', label: t('noOwnTeam') }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <Field
        label={t('teamId')}
        help={t('teamIdHelp')}
        name="to"
        autoComplete="off"
        optional={others.length > 0}
        defaultValue={own === '' ? to : ''}
        problem={problems[0]?.text}
      />
      {!isFresh && <p>{words('fresh')}</p>}
      <Actions>
        <Button type="submit" id="app-offer" look="danger" busyText={t('busy')}>
          {t('submit')}
        </Button>
      </Actions>
    </Form>
  )
}

type OfferFormProps = { app: TeamApp; others: OwnTeam[]; flash: Flash; isFresh: boolean }
