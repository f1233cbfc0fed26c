import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { Form } from '#app/_ui/form.tsx'
import styles from '#app/(account)/account/apps/apps.module.css'
import type { Connection } from '#lib/account/connected-apps/connection'

/** Withdraws the consent after a confirmation that explains which access ends and which data the app keeps. */
export function StopSharing({ connection: { app, consent } }: { connection: Connection }) {
  const t = useTranslations('connections.stop')
  const names = { app: app.name, team: app.team }
  const confirm = (
    <Form action="/account/sharing/withdraw">
      <input type="hidden" name="app" value={app.id} />
      <Button type="submit" id="stop-sharing" look="danger" busyText={t('busy')}>
        {t('button')}
      </Button>
    </Form>
  )
  return (
    <Card title={t('title', names)}>
      <ul className={styles.loses}>
        <li>{t('ends', names)}</li>
        {consent.emailChoice === 'hidden' && <li>{t('mail', names)}</li>}
        <li>{t('stays', names)}</li>
      </ul>
      <div>
        <Dialog id="stop-sharing-dialog" opener={t('open', names)} title={t('sure', names)} confirm={confirm}>
          <p>{t('ends', names)}</p>
        </Dialog>
      </div>
    </Card>
  )
}
