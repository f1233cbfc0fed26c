import { useTranslations } from 'next-intl'
import { Address } from '#app/_mail/address.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { LostInbox } from '#app/(account)/account/email/lost-inbox.tsx'
import { undoDays } from '#lib/account/email/undo'

/** Asks for confirmation and explains what the person loses and keeps. */
export function RemovalForm({ address, isLost }: { address: string; isLost: boolean }) {
  const t = useTranslations('email')
  return (
    <Card title={t.rich('removeHeading', { address, who: (text) => <Address>{text}</Address> })}>
      <p>{t('removeLost')}</p>
      <p>{t('removeStays')}</p>
      <p>{t('undoNote', { days: undoDays })}</p>
      <Form action="/account/email/remove/submit">
        <LostInbox address={address} isLost={isLost} />
        <Actions>
          <Button type="submit" id="email-remove" look="danger" busyText={t('removeBusy')}>
            {t('removeSubmit')}
          </Button>
          <ButtonLink href="/account/email" look="quiet">
            {t('keep')}
          </ButtonLink>
        </Actions>
      </Form>
    </Card>
  )
}
