import { CopyButton } from '#app/_ui/copy-button.tsx'
import styles from './hide-my-email.module.css'

/** A relay address, selectable and with a copy button. */
export function RelayAddress({ id, address }: { id: string; address: string }) {
  const [local, domain] = address.split('@')
  return (
    <div className={styles.address}>
      <bdi id={id} translate="no">
        {local}
        <wbr />@{domain}
      </bdi>
      <CopyButton from={id} describedBy={id} />
    </div>
  )
}
