import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { appGraceDays } from '#lib/console/app/app-state'
import type { TeamApp } from '#lib/console/app/store'
import type { Flash } from '#lib/http/flash'

/** Deletes an app after its name is typed; until the day of the deletion, the team can keep it. */
export function DeleteApp({ app, flash }: { app: TeamApp; flash: Flash }) {
  const t = useTranslations('consoleApps.delete')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field === 'confirm'))
  const { removeAfter } = app
  const hidden = <HiddenFields values={{ team: app.teamId, app: app.id }} />
  if (removeAfter)
    return (
      <Card title={t('waiting')}>
        <p>{t.rich('waitingWhat', { day: () => <Day at={removeAfter} /> })}</p>
        <Form action="/console/app/keep">
          {hidden}
          <Actions>
            <Button type="submit" id="app-keep" busyText={t('keeping')}>
              {t('keep')}
            </Button>
          </Actions>
        </Form>
      </Card>
    )
  return (
    <Card title={t('title')}>
      <p>{t('what', { days: appGraceDays })}</p>
      <Form action="/console/app/delete">
        <ProblemSummary problems={problems} />
        {hidden}
        <Field
          label={t('confirm', { app: app.name })}
          name="confirm"
          autoComplete="off"
          defaultValue={flash.kept.confirm}
          problem={problems[0]?.text}
        />
        <Actions>
          <Button type="submit" id="app-delete" look="danger" busyText={t('busy')}>
            {t('submit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
