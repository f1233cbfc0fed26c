import { useTranslations } from 'next-intl'
import { mapDays } from '#lib/console/transfer/receive-app'
import styles from './transfer-facts.module.css'

const facts = {
  giving: [
    'consequences.tokens',
    'consequences.consent',
    'consequences.subs',
    'consequences.addresses',
    'consequences.stays',
    'consequences.lost',
  ],
  receiving: [
    'consequences.tokens',
    'consequences.consent',
    'offer.subs',
    'consequences.addresses',
    'offer.check',
    'offer.apis',
  ],
} as const

/** What happens to tokens, identifiers and addresses when an app changes teams, as one of the two teams reads it. */
export function TransferFacts({ side }: { side: keyof typeof facts }) {
  const t = useTranslations('consoleTransfer')
  return (
    <ul className={styles.facts}>
      {facts[side].map((key) => (
        <li key={key}>{t(key, { days: mapDays })}</li>
      ))}
    </ul>
  )
}
