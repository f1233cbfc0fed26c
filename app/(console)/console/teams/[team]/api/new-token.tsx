import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { tokenScopes } from '#lib/console/tokens/scopes'
import { tokenDays } from '#lib/console/tokens/team-token'
import type { Flash } from '#lib/http/flash'

/** Makes an API token. */
export function NewToken({ team, flash, isFresh, document }: NewTokenProps) {
  const t = useTranslations('consoleApi')
  const fresh = useTranslations('console')('fresh')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field !== undefined))
  const of = (field: string) => problems.find((problem) => problem.field === field)?.text
  const kept = flash.done ? undefined : flash.kept
  const scopes = kept?.scopes?.split(' ') ?? ['read']
  return (
    <Card title={t('new')}>
      <p>{t('newWhat')}</p>
      <p>{t.rich('document', { link: () => <a href={document}>{t('documentLink')}</a> })}</p>
      <Form action="/console/team/token/make">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="team" value={team} />
        <Field
          label={t('name')}
          help={t('nameHelp')}
          name="name"
          autoComplete="off"
          defaultValue={kept?.name}
          problem={of('name')}
        />
        <CheckboxList
          id="scopes"
          legend={t('scopesTitle')}
          problem={of('scopes')}
          items={tokenScopes.map((scope) => ({
            value: scope,
            label: t(`scopes.${scope}`),
            help: <code translate="no">{scope}</code>,
            checked: scopes.includes(scope),
          }))}
        />
        <SelectField
          name="days"
          label={t('days')}
          defaultValue="90"
          problem={of('days')}
          items={tokenDays.map((days) => ({ value: String(days), label: t('dayCount', { days }) }))}
        />
        {!isFresh && <p>{fresh}</p>}
        <Actions>
          <Button type="submit" id="token-make" busyText={t('busy')}>
            {t('submit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

type NewTokenProps = {
  team: string
  flash: Flash
  isFresh: boolean
  /** The address of the OpenAPI document. */
  document: string
}
