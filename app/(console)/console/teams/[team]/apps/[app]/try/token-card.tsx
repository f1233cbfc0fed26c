import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import type { DecodedToken } from '#lib/console/trial/decode-token'
import { NamedValues } from './named-values.tsx'
import styles from './try.module.css'

/** A token taken apart: header, claims, and the checks that a client makes. */
export function TokenCard({ id, title, what, token }: TokenCardProps) {
  const t = useTranslations('consoleTry')
  const kid = String(token.header.kid)
  return (
    <Card title={title}>
      <p>{what}</p>
      <h3>{t('header')}</h3>
      <NamedValues id={`${id}-header`} values={Object.entries(token.header)} />
      <h3>{t('claims')}</h3>
      <NamedValues id={id} values={Object.entries(token.claims)} />
      <h3>{t('checks')}</h3>
      <ul className={styles.checks} id={`${id}-checks`}>
        {token.checks.map(({ name, isGood }) => (
          <li key={name}>
            <Icon name={isGood ? 'check' : 'danger'} size={18} />
            <span>
              {t(isGood ? 'passed' : 'notPassed')} {t(`checkNames.${name}`, { kid })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type TokenCardProps = { id: string; title: string; what: string; token: DecodedToken }
