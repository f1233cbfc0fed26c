import { useTranslations } from 'next-intl'
import { Address } from '#app/_mail/address.tsx'
import { LostInbox } from '#app/(account)/account/email/lost-inbox.tsx'
import { undoDays } from '#lib/account/email/undo'

/** The present and the new address, and how the change can be undone. */
export function AddressChange({ before, after, isLost }: { before: string; after: string; isLost: boolean }) {
  const t = useTranslations('email')
  return (
    <>
      <p>{t.rich('fromTo', { old: before, address: after, who: (text) => <Address>{text}</Address> })}</p>
      <p>{t('undoNote', { days: undoDays })}</p>
      <LostInbox address={before} isLost={isLost} />
    </>
  )
}
