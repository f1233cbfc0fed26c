import { useTranslations } from 'next-intl'
import { classes } from '#app/_ui/classes.ts'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import type { AliasState } from '#lib/account/hide-my-email/alias-state'
import styles from './state-label.module.css'

/** The state of a relay address, as one word. */
export function StateLabel({ state: { kind } }: { state: AliasState }) {
  const t = useTranslations('hideMyEmail.state')
  return (
    <span className={classes(styles.state, styles[kind])}>
      <Icon name={icons[kind]} size={16} />
      {t(kind)}
    </span>
  )
}

const icons: Record<AliasState['kind'], IconName> = {
  on: 'check',
  off: 'off',
  closed: 'off',
  unbound: 'attention',
  paused: 'attention',
}
