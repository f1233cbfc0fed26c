import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import styles from './what-happens.module.css'

/** The effects of the deletion, in their order. */
export function WhatHappens({ at, offersRelay }: { at: Date; offersRelay: boolean }) {
  const t = useTranslations('deletion')
  return (
    <Card>
      <section className={styles.part}>
        <h2>{t('at')}</h2>
        <ul>
          <li>{t('atApps')}</li>
          <li>{t('atSessions')}</li>
          {offersRelay && <li>{t('atMail')}</li>}
        </ul>
      </section>
      <section className={styles.part}>
        <h2>{t.rich('later', { time: () => <Day at={at} /> })}</h2>
        <ul>
          <li>{t('laterData')}</li>
          <li>{t('laterStranger')}</li>
        </ul>
      </section>
      <section className={styles.part}>
        <h2>{t('stays')}</h2>
        <ul>
          <li>{t('staysApps')}</li>
        </ul>
      </section>
    </Card>
  )
}
