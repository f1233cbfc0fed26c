import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { isWorded } from '#app/_sharing/worded-scopes.ts'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Form } from '#app/_ui/form.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { TeamApi } from '#lib/console/team-apis/store'
import { trialMinutes } from '#lib/console/trial/trial'
import { prompts } from '#lib/oauth/authorize/request'

/** Says what a trial does, and starts one. */
export function TrialForm({ app, apis, mayTry }: { app: TeamApp; apis: TeamApi[]; mayTry: boolean }) {
  const t = useTranslations('consoleTry')
  const words = useTranslations('scopes')
  const scopes = app.scopes.filter((scope) => scope !== 'openid')
  const withdraw = { link: (text: React.ReactNode) => <a href="/account/apps">{text}</a> }
  return (
    <Card title={t('title')}>
      <p>{t('lede')}</p>
      <ul>
        <li>{t('own')}</li>
        <li>{t.rich('consent', withdraw)}</li>
        <li>{t('short', { minutes: trialMinutes })}</li>
      </ul>
      {mayTry ? (
        <Form action="/console/app/try">
          <HiddenFields values={{ team: app.teamId, app: app.id }} />
          {scopes.length > 0 && (
            <CheckboxList
              id="scope"
              legend={t('scopes')}
              items={scopes.map((scope) => ({
                value: scope,
                label: isWorded(scope) ? words(scope) : scope,
                help: <code translate="no">{scope}</code>,
                checked: true,
              }))}
            />
          )}
          {apis.length > 0 && (
            <SelectField
              name="resource"
              label={t('api')}
              help={t('apiHelp')}
              items={[
                { value: '', label: t('apiNone') },
                ...apis.map(({ identifier, name }) => ({ value: identifier, label: `${name}: ${identifier}` })),
              ]}
            />
          )}
          <SelectField
            name="prompt"
            label={t('prompt')}
            help={t('promptHelp')}
            items={[
              { value: '', label: t('prompts.unset') },
              ...prompts.map((value) => ({ value, label: t(`prompts.${value}`) })),
            ]}
          />
          <Actions>
            <Button type="submit" id="try-start" busyText={t('busy')}>
              {t('submit')}
            </Button>
          </Actions>
        </Form>
      ) : (
        <p>{t('readOnly')}</p>
      )}
    </Card>
  )
}
