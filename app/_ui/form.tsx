import type { FormHTMLAttributes } from 'react'
import styles from './form.module.css'
import { SessionToken } from './session-token.tsx'

/** A plain form: posted by the browser, problems shown by the page it comes back to. */
export function Form({ children, ...props }: FormProps) {
  // Our own checks speak the person's language and sit beside the field, so the browser's bubbles stay away.
  return (
    <form method="post" noValidate {...props} className={styles.form}>
      {props.action.startsWith('/account/') && <SessionToken />}
      {children}
    </form>
  )
}

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'className' | 'style' | 'action'> & { action: string }
