import type { FormHTMLAttributes } from 'react'
import styles from './form.module.css'

/** A plain form: posted by the browser, problems shown by the page it comes back to. */
export function Form(
  props: Omit<FormHTMLAttributes<HTMLFormElement>, 'className' | 'style' | 'action'> & { action: string },
) {
  // Our own checks speak the person's language and sit beside the field, so the browser's bubbles stay away.
  return <form method="post" noValidate {...props} className={styles.form} />
}
