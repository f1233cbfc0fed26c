import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { useConsoleProblems } from '#app/(console)/console/console-problems.ts'
import { mostRegistrations, registrationDays } from '#lib/console/tokens/registration-token'
import type { Flash } from '#lib/http/flash'
import { profileNames } from '#lib/oauth/client/profile'

/** Makes an initial access token. */
export function NewRegistrationToken({ team, flash, isFresh }: { team: string; flash: Flash; isFresh: boolean }) {
  const t = useTranslations('consoleApi')
  const words = useTranslations()
  const reported = flash.problems.filter(({ field }) => field !== undefined)
  // The other form of the page has a field of the same name, so these fields have ids of their own.
  const problems = useConsoleProblems(
    reported.map((problem) => ({ ...problem, field: `registration-${problem.field}` })),
  )
  const of = (field: string) => problems.find((problem) => problem.field === `registration-${field}`)?.text
  const kept = flash.done ? undefined : flash.kept
  return (
    <Card title={t('newRegistration')}>
      <Form action="/console/team/registration-token/make">
        <ProblemSummary problems={problems} />
        <input type="hidden" name="team" value={team} />
        <Field
          id="registration-name"
          label={t('name')}
          help={t('nameHelp')}
          name="name"
          autoComplete="off"
          defaultValue={kept?.name}
          problem={of('name')}
        />
        <SelectField
          id="registration-profile"
          name="profile"
          label={t('profile')}
          defaultValue={kept?.profile ?? 'oidc'}
          problem={of('profile')}
          items={profileNames.map((value) => ({ value, label: words(`consoleApps.profiles.${value}`) }))}
        />
        <Field
          id="registration-count"
          label={t('count')}
          help={t('countHelp', { most: mostRegistrations })}
          name="count"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={kept?.count ?? '1'}
          problem={of('count')}
        />
        <SelectField
          id="registration-days"
          name="days"
          label={t('days')}
          defaultValue="7"
          problem={of('days')}
          items={registrationDays.map((days) => ({ value: String(days), label: t('dayCount', { days }) }))}
        />
        {!isFresh && <p>{words('console.fresh')}</p>}
        <Actions>
          <Button type="submit" id="registration-make" look="secondary" busyText={t('busy')}>
            {t('submitRegistration')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
