import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { consoleHome } from '#lib/console/paths'
import { longestTeamName } from '#lib/console/team/team-name'
import type { Flash } from '#lib/http/flash'

/** Asks for the name of the team, and for the operator's invitation where one is required. */
export function NewTeamForm({ flash, invited, canCancel = true }: NewTeamFormProps) {
  const t = useTranslations('console.newTeam')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field !== undefined))
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  return (
    <Form action="/console/new-team/submit">
      <ProblemSummary problems={problems} />
      <Field
        label={t('name')}
        help={t('nameHelp', { most: longestTeamName })}
        name="name"
        autoComplete="organization"
        autoFocus
        defaultValue={flash.kept.name}
        problem={of('name')}
      />
      {invited && (
        <Field
          label={t('invitation')}
          help={t('invitationHelp')}
          name="invitation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          code
          defaultValue={flash.kept.invitation}
          problem={of('invitation')}
        />
      )}
      <Actions>
        <Button type="submit" id="team-create" busyText={t('busy')}>
          {t('submit')}
        </Button>
        {canCancel && (
          <ButtonLink href={consoleHome} look="quiet">
            {t('cancel')}
          </ButtonLink>
        )}
      </Actions>
    </Form>
  )
}

type NewTeamFormProps = { flash: Flash; invited: boolean; canCancel?: boolean }
