import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { secureStepLink } from '#lib/account/activity/secure-steps'
import { pathWith } from '#lib/http/redirect'
import type { Ways } from '#lib/sign-in/second-factor/store'
import styles from './secure-steps.module.css'

/** The steps that secure an account, in the order that stops an attacker first. */
export function SecureSteps({ at, ways, others, email }: SecureStepsProps) {
  const t = useTranslations('activity.secureFlow')
  const secure = at?.toISOString() ?? 'now'
  const setAt = ways.password?.setAt
  const isNew = at !== undefined && setAt !== undefined && setAt !== null && setAt > at
  return (
    <ol className={styles.steps}>
      <Step title={t('sessions')} done={others === 0 && t('sessionsDone')}>
        <p>{t('sessionsWhat', { count: others })}</p>
        <form method="post" action="/account/security/sessions/others">
          <SessionToken />
          <HiddenFields values={{ secure, apps: '1' }} />
          <Button type="submit" id="secure-sessions" busyText={t('busy')}>
            {t('sessionsDo')}
          </Button>
        </form>
      </Step>
      <Step title={t(ways.password ? 'password' : 'passwordSet')} done={isNew && t('passwordDone')}>
        <p>{t('passwordWhat')}</p>
        <div>
          <ButtonLink href={pathWith('/account/security/password', { secure })} look="secondary">
            {t(ways.password ? 'password' : 'passwordSet')}
          </ButtonLink>
        </div>
      </Step>
      <Step title={t('factors')}>
        <p>{t('factorsWhat', { passkeys: ways.passkeys.length })}</p>
        <div>
          <ButtonLink href={secureStepLink(at, '/account/security')} look="secondary">
            {t('factorsDo')}
          </ButtonLink>
        </div>
      </Step>
      <Step title={t('email')}>
        <p>{email ? t.rich('emailIs', { email, address: richAddress }) : t('emailNone')}</p>
        <div>
          <ButtonLink href={secureStepLink(at, '/account/email')} look="secondary">
            {t('emailDo')}
          </ButtonLink>
        </div>
      </Step>
      <Step title={t('apps')}>
        <p>{t('appsWhat')}</p>
        <div>
          <ButtonLink href={secureStepLink(at, '/account/apps')} look="secondary">
            {t('appsDo')}
          </ButtonLink>
        </div>
      </Step>
    </ol>
  )
}

/** A step; a finished one only says so. */
function Step({ title, done, children }: { title: string; done?: string | false; children: ReactNode }) {
  return (
    <li>
      <Card title={title}>
        {done ? (
          <p className={styles.done}>
            <Icon name="check" />
            {done}
          </p>
        ) : (
          children
        )}
      </Card>
    </li>
  )
}

type SecureStepsProps = { at: Date | undefined; ways: Ways; others: number; email: string | undefined }
