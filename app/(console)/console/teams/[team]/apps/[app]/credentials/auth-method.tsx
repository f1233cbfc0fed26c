import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import type { AppKind } from '#lib/apps/app-fields'
import type { TeamApp } from '#lib/console/app/store'
import type { Flash } from '#lib/http/flash'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'

/** The method of authentication, where the profile has several for this kind of app. */
export function AuthMethod({ app, flash }: { app: TeamApp; flash: Flash }) {
  const t = useTranslations('consoleAdvanced.method')
  const words = useTranslations('consoleApps.credentials')
  const problems = useAppProblems(flash.problems, ['token_endpoint_auth_method'])
  const methods = profileOf(app.profile as ProfileName).authMethods[app.kind as AppKind]
  if (methods.length < 2) return null
  const chosen = app.declaration.token_endpoint_auth_method as string | undefined
  // A registered method can be changed, but not unset.
  const choices = [...(chosen === undefined ? ['any'] : []), ...methods]
  return (
    <Card title={t('title')}>
      <p>{t('what')}</p>
      <Form action="/console/app/auth-method">
        <HiddenFields values={{ team: app.teamId, app: app.id }} />
        <RadioList
          name="token_endpoint_auth_method"
          legend={t('title')}
          chosen={chosen ?? 'any'}
          problem={problemOf(problems, 'token_endpoint_auth_method')}
          items={choices.map((value) => ({ value, label: t(value as 'any') }))}
        />
        <Actions>
          <Button type="submit" id="auth-method" look="secondary" busyText={words('saving')}>
            {t('submit')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
