import { useTranslations } from 'next-intl'
import { Address } from '#app/_mail/address.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { classes } from '#app/_ui/classes.ts'
import { Icon } from '#app/_ui/icon.tsx'
import { type SafetyPart, safetyOf, safetyParts } from '#lib/sign-in/second-factor/safety'
import type { Ways } from '#lib/sign-in/second-factor/store'
import styles from './overview.module.css'

/** How safe the account is, each part with its state, and the one next step. */
export function SafetyCard({ ways, email }: { ways: Ways; email: string | undefined }) {
  const t = useTranslations('overview.safety')
  const { isGood, isStuck, next } = safetyOf(ways)
  const state = next === undefined ? 'good' : isStuck ? 'stuck' : 'better'
  return (
    <section className={styles.card} aria-labelledby="safety">
      <h2 id="safety" className={classes(styles.state, isStuck && styles.open)}>
        <Icon name={isStuck ? 'attention' : 'shield'} />
        {t(state)}
      </h2>
      <ul className={styles.parts}>
        {safetyParts.map((part) => (
          <li key={part} className={classes(styles.part, !isGood[part] && styles.missing)}>
            <Icon name={isGood[part] ? 'check' : 'plus'} />
            <div>
              <h3>
                <a href={pages[part]}>{t(`${part}.name`)}</a>
              </h3>
              <p>
                <PartState part={part} ways={ways} email={email} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {next && (
        <div className={styles.next}>
          <p>{t(`${next}.why`)}</p>
          <ButtonLink href={pages[next]}>{t(`${next}.action`)}</ButtonLink>
        </div>
      )}
    </section>
  )
}

function PartState({ part, ways, email }: { part: SafetyPart; ways: Ways; email: string | undefined }) {
  const t = useTranslations('overview.safety')
  switch (part) {
    case 'passkey':
      return t('passkey.state', { count: ways.passkeys.length })
    case 'secondStep':
      return t(`secondStep.${!ways.password ? 'unneeded' : ways.totpSince ? 'on' : 'off'}`)
    case 'codes':
      return ways.codes ? t('codes.state', { left: ways.codes.left }) : t('codes.none')
    case 'email':
      return email === undefined ? t('email.none') : <Address>{email}</Address>
  }
}

const pages: Record<SafetyPart, string> = {
  passkey: '/account/security/passkeys',
  secondStep: '/account/security/authenticator',
  codes: '/account/security/codes',
  email: '/account/email',
}
