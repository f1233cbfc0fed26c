import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { OwnTeam } from '#lib/console/team/store'
import { longestTeamName } from '#lib/console/team/team-name'
import type { Flash } from '#lib/http/flash'

/** Asks for another name of the team. */
export function RenameForm({ team, flash }: { team: OwnTeam; flash: Flash }) {
  const t = useTranslations('console')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field !== undefined))
  return (
    <Form action="/console/team/rename">
      <ProblemSummary problems={problems} />
      <input type="hidden" name="team" value={team.id} />
      <Field
        label={t('newTeam.name')}
        help={t('newTeam.nameHelp', { most: longestTeamName })}
        name="name"
        autoComplete="off"
        defaultValue={flash.kept.name ?? team.name}
        problem={problems[0]?.text}
      />
      <Actions>
        <Button type="submit" id="team-rename" busyText={t('settings.busy')}>
          {t('settings.rename')}
        </Button>
      </Actions>
    </Form>
  )
}
