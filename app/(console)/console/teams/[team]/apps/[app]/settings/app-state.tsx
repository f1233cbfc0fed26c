import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { TeamApp } from '#lib/console/app/store'

/** Closes an app after a confirmation, or opens it again, unless the operator closed it. */
export function AppState({ app }: { app: TeamApp }) {
  const t = useTranslations('consoleApps.state')
  const moving = useTranslations('consoleTransfer.map')
  if (app.disabledBy === 'operator' || app.disabledBy === 'transfer')
    return (
      <Card title={t('closed')}>
        <p>{app.disabledBy === 'operator' ? t('closedByOperator') : moving('preparing')}</p>
      </Card>
    )
  const isClosed = app.disabledAt !== null
  const form = (
    <Form action="/console/app/state">
      <HiddenFields values={{ team: app.teamId, app: app.id, state: isClosed ? 'enabled' : 'disabled' }} />
      <Actions>
        <Button type="submit" id="app-state" look={isClosed ? 'primary' : 'danger'} busyText={t('busy')}>
          {t(isClosed ? 'open' : 'close')}
        </Button>
      </Actions>
    </Form>
  )
  return (
    <Card title={t(isClosed ? 'closed' : 'close')}>
      <p>{t(isClosed ? 'closedWhat' : 'closeWhat')}</p>
      <div>
        {isClosed ? (
          form
        ) : (
          <Dialog
            id="app-state-dialog"
            opener={t('closeOpen')}
            title={t('closeSure', { app: app.name })}
            confirm={form}
          >
            <p>{t('closeWhat')}</p>
          </Dialog>
        )}
      </div>
    </Card>
  )
}
