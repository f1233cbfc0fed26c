import { useFormatter, useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'

/** Off again, with what that means; coming here needed a fresh sign-in, so it is not asked twice. */
export function TurnOff({ since }: { since: Date }) {
  const t = useTranslations('security.totp')
  const format = useFormatter()
  return (
    <Card title={t('on', { date: format.dateTime(since, { dateStyle: 'long' }) })}>
      <p>{t('turnOffWhat')}</p>
      <form method="post" action="/account/security/authenticator/off">
        <SessionToken />
        <Button type="submit" id="totp-off" look="danger">
          {t('turnOff')}
        </Button>
      </form>
    </Card>
  )
}
