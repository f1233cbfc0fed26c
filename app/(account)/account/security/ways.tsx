import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from '#app/_ui/action-rows.module.css'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { recoveryCodeCount } from '#lib/sign-in/recovery-codes/recovery-code'
import type { Ways as WaysIn } from '#lib/sign-in/second-factor/store'

/** Each sign-in method, its state, and a link to the page that changes it. */
export function Ways({ ways }: { ways: WaysIn }) {
  const t = useTranslations('security')
  const { password, passkeys, totpSince, codes } = ways
  const setAt = password?.setAt
  const setOn = setAt && t.rich('password.setOn', { time: () => <Day at={setAt} /> })
  const since = totpSince && t.rich('totp.on', { time: () => <Day at={totpSince} /> })
  return (
    <section className={styles.card} aria-labelledby="ways">
      <h2 id="ways">{t('ways')}</h2>
      <ul className={styles.rows}>
        <Way
          icon="key"
          title={t('password.name')}
          href="password"
          verb={t(password ? 'password.change' : 'password.set')}
        >
          {setOn ?? t(password ? 'password.isSet' : 'password.isUnset')}
        </Way>
        <Way
          icon="passkey"
          title={t('passkeys.name')}
          href="passkeys"
          verb={t(passkeys[0] ? 'passkeys.manage' : 'passkeys.add')}
        >
          <PasskeyState ways={ways} />
        </Way>
        <Way
          icon="phone"
          title={t('totp.name')}
          href="authenticator"
          verb={t(totpSince ? 'totp.manage' : 'totp.turnOn')}
        >
          {since ?? t('totp.off')}
        </Way>
        <Way icon="list" title={t('codes.name')} href="codes" verb={t(codes ? 'codes.renew' : 'codes.make')}>
          {codes ? t('codes.left', { left: codes.left, total: recoveryCodeCount }) : t('codes.none')}
        </Way>
      </ul>
    </section>
  )
}

function PasskeyState({ ways: { passkeys } }: { ways: WaysIn }) {
  const t = useTranslations('security.passkeys')
  const format = useFormatter()
  if (passkeys.length === 0) return t('none')
  const names = passkeys.map(({ name }) => name || t('unnamed'))
  return `${t('count', { count: passkeys.length })} · ${format.list(names, { type: 'unit' })}`
}

function Way({ icon, title, href, verb, children }: WayProps) {
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.words}>
        <h3 id={href}>{title}</h3>
        <p>{children}</p>
      </div>
      <ButtonLink href={`/account/security/${href}`} look="secondary" aria-describedby={href}>
        {verb}
      </ButtonLink>
    </li>
  )
}

type WayProps = { icon: IconName; title: string; href: string; verb: string; children: ReactNode }
