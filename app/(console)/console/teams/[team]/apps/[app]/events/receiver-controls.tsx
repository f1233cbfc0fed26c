import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { Receiver } from '#lib/console/events/store'

/** Verifies, pauses and removes the receiver, and replays its events. */
export function ReceiverControls({ app, receiver }: { app: TeamApp; receiver: Receiver }) {
  const t = useTranslations('consoleEvents')
  const isPaused = receiver.pausedAt !== null
  const one = (action: string, text: ReactNode, more: { state?: string; look?: 'danger' } = {}) => (
    <Form action={`/console/app/events/${action}`}>
      <HiddenFields values={{ team: app.teamId, app: app.id, ...(more.state && { state: more.state }) }} />
      <Actions>
        <Button type="submit" id={`receiver-${action}`} look={more.look ?? 'secondary'} busyText={t('busy')}>
          {text}
        </Button>
      </Actions>
    </Form>
  )
  return (
    <Card title={t('checks')}>
      <p>{t('checksWhat')}</p>
      <Actions>
        {one('verify', t('verify'))}
        {one('replay', t('replay'))}
        {one('pause', t(isPaused ? 'resume' : 'pause'), { state: isPaused ? 'active' : 'paused' })}
        <Dialog
          id="receiver-remove-dialog"
          opener={t('remove')}
          title={t('removeSure')}
          confirm={one('remove', t('remove'), { look: 'danger' })}
        >
          <p>{t('removeWhat')}</p>
        </Dialog>
      </Actions>
    </Card>
  )
}
