import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'

/** Turns the authenticator app off. Asks for no confirmation, because the page requires a recent sign-in. */
export function TurnOff({ since }: { since: Date }) {
  const t = useTranslations('security.totp')
  return (
    <Card title={t.rich('on', { time: () => <Day at={since} /> })}>
      <p>{t('turnOffWhat')}</p>
      <form method="post" action="/account/security/authenticator/off">
        <SessionToken />
        <Button type="submit" id="totp-off" look="danger" busyText={t('turningOff')}>
          {t('turnOff')}
        </Button>
      </form>
    </Card>
  )
}
