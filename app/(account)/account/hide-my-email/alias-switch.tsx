import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import type { OwnAlias } from '#lib/account/hide-my-email/store'
import styles from './alias-switch.module.css'

/** The switch of a relay address: a form button, which works without script. `search` is the list's when it is there. */
export function AliasSwitch({ alias, id, search }: { alias: OwnAlias; id: string; search?: string | undefined }) {
  const t = useTranslations('hideMyEmail')
  const isOn = alias.disabledAt === undefined
  const fields = { alias: alias.name, to: isOn ? 'off' : 'on' }
  const place = search === undefined ? {} : { from: 'list', q: search }
  const name = alias.label || (alias.app?.name ?? t('goneApp'))
  return (
    <form method="post" action="/account/hide-my-email/switch" className={styles.form}>
      <SessionToken />
      <HiddenFields values={{ ...fields, ...place }} />
      <button
        type="submit"
        role="switch"
        aria-checked={isOn}
        aria-label={t('switch.label', { name })}
        // Two addresses may have the same label.
        aria-describedby={search === undefined ? undefined : `address-${alias.name}`}
        id={id}
        className={styles.switch}
      >
        <span className={styles.track} aria-hidden="true" />
        <span aria-hidden="true">{t(`state.${isOn ? 'on' : 'off'}`)}</span>
      </button>
    </form>
  )
}
