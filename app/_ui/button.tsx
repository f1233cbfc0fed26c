import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'

/** A button. It shows `busyText` while its form is being sent. */
export function Button({ look = 'primary', wide, icon, busyText, children, ...rest }: ButtonProps) {
  return (
    <button {...rest} className={classes(styles.button, styles[look], wide && styles.wide)} data-busy={busyText}>
      {icon}
      {busyText ? <span data-label>{children}</span> : children}
    </button>
  )
}

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> & {
  look?: ButtonLook
  wide?: boolean
  icon?: ReactNode
  busyText?: string
  command?: 'show-modal' | 'close'
  commandfor?: string
}
