import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { ApiFields } from '#app/(console)/console/api-fields.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import { teamPage } from '#lib/console/paths'
import type { Flash } from '#lib/http/flash'

/** Registers an API of the team. */
export function NewApiForm({ team, flash, isFresh, isReviewed }: NewApiFormProps) {
  const t = useTranslations('consoleApis')
  const words = useTranslations('console')
  const apps = useTranslations('consoleApps.newApp')
  const problems = useAppProblems(flash.problems, ['identifier', 'name', 'scopes', 'sensitive_scopes', 'signing_alg'])
  return (
    <Card title={t('kind.title')}>
      <p>{t('kind.then')}</p>
      <Form action="/console/team-api/register">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="team" value={team} />
        <Field
          label={t('identifier')}
          help={t('identifierHelp')}
          name="identifier"
          type="url"
          autoComplete="off"
          autoFocus
          defaultValue={flash.kept.identifier}
          problem={problemOf(problems, 'identifier')}
        />
        <ApiFields values={flash.kept} problems={problems} isReviewed={isReviewed} />
        {!isFresh && <p>{words('fresh')}</p>}
        <Actions>
          <Button type="submit" id="api-register" busyText={t('busy')}>
            {t('submit')}
          </Button>
          <ButtonLink href={teamPage(team, 'new-app')} look="quiet">
            {apps('other')}
          </ButtonLink>
        </Actions>
      </Form>
    </Card>
  )
}

type NewApiFormProps = { team: string; flash: Flash; isFresh: boolean; isReviewed: boolean }
