import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { EmailField, ProfileField, RedirectUrisField, ScopesField, Shown } from '#app/(console)/console/app-fields.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import type { AppKind } from '#lib/apps/app-fields'
import { settingsFields } from '#lib/console/app/declare-app'
import { keptOf } from '#lib/console/app/register-app'
import type { TeamApp } from '#lib/console/app/store'
import type { Flash } from '#lib/http/flash'
import { AdvancedFields } from './advanced-fields.tsx'
import { NameFields } from './name-fields.tsx'

const addresses = ['homepage', 'policy_uri', 'tos_uri'] as const

/** The fields of an app that a developer may change; a viewer sees the same form, which cannot be sent. */
export function AppForm({ app, flash, mayChange, config }: AppFormProps) {
  const t = useTranslations('consoleApps')
  const problems = useAppProblems(
    flash.problems.filter(({ field }) => field !== 'confirm'),
    settingsFields,
  )
  const of = (field: string) => problemOf(problems, field)
  const stored = keptOf(app.declaration)
  const values = problems.length > 0 || isStale(flash) ? { ...stored, ...flash.kept } : stored
  const kind = app.kind as AppKind
  return (
    <Card title={t('settings.title')}>
      <Form action="/console/app/change">
        <ProblemSummary problems={problems} />
        <HiddenFields values={{ team: app.teamId, app: app.id, version: app.version }} />
        <Shown fields={settingsFields} />
        <Field
          label={t('name')}
          help={t('nameHelp')}
          name="name"
          autoComplete="off"
          defaultValue={values.name}
          problem={of('name')}
        />
        <NameFields values={values} of={of} />
        <RedirectUrisField
          value={values.redirect_uris}
          problem={of('redirect_uris')}
          isEvaluation={config.evaluation}
          kind={kind}
        />
        <ScopesField
          chosen={values.scopes?.split('\n') ?? []}
          problem={of('scopes')}
          allowed={app.scopes}
          waiting={app.waitingScopes}
          isReviewed={config.reviewsScopes}
        />
        <EmailField chosen={values.email ?? 'none'} problem={of('email')} />
        <ProfileField chosen={values.profile ?? 'standard'} kind={kind} problem={of('profile')} />
        {addresses.map((name) => (
          <Field
            key={name}
            label={t(`addresses.${name}`)}
            help={t(`addressHelp.${name}`)}
            name={name}
            type="url"
            autoComplete="off"
            optional
            defaultValue={values[name]}
            problem={of(name)}
          />
        ))}
        <AdvancedFields app={app} values={values} problems={problems} />
        {mayChange ? (
          <Actions>
            <Button type="submit" id="app-change" busyText={t('settings.busy')}>
              {t('settings.submit')}
            </Button>
          </Actions>
        ) : (
          <p>{t('settings.readOnly')}</p>
        )}
      </Form>
    </Card>
  )
}

const isStale = ({ problems }: Flash): boolean => problems.some(({ code }) => code === 'app_stale')

type AppFormProps = {
  app: TeamApp
  flash: Flash
  mayChange: boolean
  config: { evaluation: boolean; reviewsScopes: boolean }
}
