import type { FormHTMLAttributes } from 'react'
import styles from './form.module.css'
import { SessionToken } from './session-token.tsx'

/** A form that the browser posts; the page it leads back to shows its problems. */
export function Form({ children, ...props }: FormProps) {
  // The server's checks use the page's language and appear beside the field, so the browser's are off.
  return (
    <form method="post" noValidate {...props} className={styles.form}>
      {/^\/(account|admin|console|passkey\/offer)\//.test(props.action) && <SessionToken />}
      {children}
    </form>
  )
}

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'className' | 'style' | 'action'> & { action: string }
