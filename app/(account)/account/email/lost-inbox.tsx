import { useTranslations } from 'next-intl'
import { Checkbox } from '#app/_ui/checkbox.tsx'
import { undoDays } from '#lib/account/email/undo'

/** Says how long the old inbox can undo a change, unless the person ticks that they can no longer read it. */
export function LostInbox({ address, isLost }: { address: string; isLost: boolean }) {
  const t = useTranslations('email')
  return (
    <>
      <p>{t('undoNote', { address, days: undoDays })}</p>
      <Checkbox name="lost" label={t('lost', { address })} help={t('lostHelp')} checked={isLost} />
    </>
  )
}
