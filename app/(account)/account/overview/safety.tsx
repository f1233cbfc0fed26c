import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { nextSafetyStep } from '#lib/account/signed-in/next-safety-step'
import type { Ways } from '#lib/sign-in/second-factor/store'
import styles from './overview.module.css'

const pages = {
  email: '/account/email/change',
  passkey: '/account/security/passkeys',
  codes: '/account/security/codes',
  more_codes: '/account/security/codes',
} as const

/** What protects the account and what is missing, and the step that protects it the most now. */
export function Safety({ ways, email }: { ways: Ways; email: string | undefined }) {
  const t = useTranslations('overview.safety')
  const { passkeys, totpSince, codes } = ways
  const step = nextSafetyStep({
    passkeys: passkeys.length,
    hasTotp: totpSince !== undefined,
    codesLeft: codes?.left,
    hasEmail: email !== undefined,
  })
  return (
    <Card
      title={t(step ? 'title' : 'safe')}
      actions={step && <ButtonLink href={pages[step]}>{t(`steps.${step}.action`)}</ButtonLink>}
    >
      <ul className={styles.checks}>
        <Check done={passkeys.length > 0}>{t('passkeys', { count: passkeys.length })}</Check>
        <Check done={totpSince !== undefined || passkeys.length > 0}>
          {t(totpSince ? 'totp' : passkeys.length > 0 ? 'passkeyIsEnough' : 'noTotp')}
        </Check>
        <Check done={(codes?.left ?? 0) > 0}>{t('codes', { count: codes?.left ?? 0 })}</Check>
        <Check done={email !== undefined}>{t(email ? 'email' : 'noEmail')}</Check>
      </ul>
      {step && (
        <p>
          <strong>{t('next')}</strong> {t(`steps.${step}.why`)}
        </p>
      )}
      <p>
        <a href="/account/security">{t('more')}</a>
      </p>
    </Card>
  )
}

function Check({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <li className={done ? styles.done : styles.missing}>
      <Icon name={done ? 'check' : 'attention'} />
      <span>{children}</span>
    </li>
  )
}
