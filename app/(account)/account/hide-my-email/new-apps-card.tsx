import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import type { Person } from '#lib/account/signed-in/session'

/** The setting of the address that is preselected for an app without an earlier choice. */
export function NewAppsCard({ person }: { person: Person }) {
  const t = useTranslations('hideMyEmail.newApps')
  return (
    <Card title={t('title')}>
      <Form action="/account/hide-my-email/new-apps">
        <RadioList
          name="new_app_email"
          legend={t('question')}
          help={t('help')}
          chosen={person.newAppEmail}
          items={[
            { value: 'hidden', label: t('hidden') },
            { value: 'regular', label: t('regular'), help: t('regularHelp') },
          ]}
        />
        <Actions>
          <Button type="submit" id="new-app-email-save" look="secondary" busyText={t('saving')}>
            {t('save')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
