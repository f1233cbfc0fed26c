import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { TeamApi } from '#lib/console/team-apis/store'
import type { Flash } from '#lib/http/flash'

/** Deletes an API after its name is typed. */
export function DeleteApi({ team, api, flash, isFresh }: DeleteApiProps) {
  const t = useTranslations('consoleApis.delete')
  const words = useTranslations('console')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field === 'confirm'))
  return (
    <Card title={t('title')}>
      <p>{t('what')}</p>
      <Form action="/console/team-api/delete">
        <ProblemSummary problems={problems} />
        <HiddenFields values={{ team, identifier: api.identifier }} />
        <Field
          label={t('confirm', { api: api.name })}
          name="confirm"
          autoComplete="off"
          defaultValue={flash.kept.confirm}
          problem={problems[0]?.text}
        />
        {!isFresh && <p>{words('fresh')}</p>}
        <Actions>
          <Button type="submit" id="api-delete" look="danger" busyText={t('busy')}>
            {t('submit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

type DeleteApiProps = { team: string; api: TeamApi; flash: Flash; isFresh: boolean }
