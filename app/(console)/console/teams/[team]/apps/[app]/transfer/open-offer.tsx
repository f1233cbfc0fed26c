import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { AppOffer } from '#lib/console/transfer/store'

/** The open offer of an app, which the team can withdraw. */
export function OpenOffer({ offer }: { offer: AppOffer }) {
  const t = useTranslations('consoleTransfer')
  return (
    <Card title={t('open', { team: offer.to.name })}>
      <p>{t.rich('openWhat', { day: () => <Day at={offer.expiresAt} /> })}</p>
      <Form action="/console/app/withdraw-offer">
        <HiddenFields values={{ team: offer.from.id, app: offer.app.id, offer: offer.id }} />
        <Actions>
          <Button type="submit" id="offer-withdraw" look="secondary" busyText={t('withdrawing')}>
            {t('withdraw')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}
