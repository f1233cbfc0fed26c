import { waitsSwitchedOff } from '#app/(account)/account/hide-my-email/[name]/shown-alias.ts'
import { AliasSwitch } from '#app/(account)/account/hide-my-email/alias-switch.tsx'
import { StateLabel } from '#app/(account)/account/hide-my-email/state-label.tsx'
import type { AliasState } from '#lib/account/hide-my-email/alias-state'
import type { OwnAlias } from '#lib/account/hide-my-email/store'
import styles from './hide-my-email.module.css'

/**
 * The state of a relay address, and its switch. An address that is closed because sharing stopped can only be switched on;
 * it works once sharing starts again.
 */
export function SwitchableState({ alias, state, id, search }: SwitchableStateProps) {
  const isOpen = (alias.byHand || alias.app !== undefined) && state.kind !== 'closed'
  return (
    <div className={styles.state}>
      {state.kind !== 'on' && state.kind !== 'off' && <StateLabel state={state} />}
      {(isOpen || waitsSwitchedOff({ alias, state })) && <AliasSwitch alias={alias} id={id} search={search} />}
    </div>
  )
}

type SwitchableStateProps = { alias: OwnAlias; state: AliasState; id: string; search?: string | undefined }
