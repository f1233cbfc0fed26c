import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import type { Flash } from '#lib/http/flash'

/** The form that adds a domain. */
export function AddDomain({ action, values, help, flash }: AddDomainProps) {
  const t = useTranslations('consoleDomain')
  const problems = useConsoleProblems(flash.problems.filter(({ field }) => field !== undefined))
  return (
    <Card title={t('add')}>
      <Form action={action}>
        <ProblemSummary problems={problems} />
        <HiddenFields values={values} />
        <Field
          label={t('domain')}
          help={help}
          name="domain"
          autoComplete="off"
          spellCheck={false}
          defaultValue={flash.kept.domain}
          problem={problems[0]?.text}
        />
        <Actions>
          <Button type="submit" id="domain-add" busyText={t('adding')}>
            {t('addSubmit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

type AddDomainProps = { action: string; values: Record<string, string>; help: string; flash: Flash }
