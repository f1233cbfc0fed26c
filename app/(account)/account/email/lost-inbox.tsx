import { useTranslations } from 'next-intl'
import { Checkbox } from '#app/_ui/checkbox.tsx'

/** The tick of a person who can no longer read mail at the old address; then no link can undo the change. */
export function LostInbox({ address, isLost }: { address: string; isLost: boolean }) {
  const t = useTranslations('email')
  return <Checkbox name="lost" label={t('lost', { address })} help={t('lostHelp')} checked={isLost} />
}
