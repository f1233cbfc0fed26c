import type { AnchorHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'
import type { ButtonLook } from './button.tsx'
import { classes } from './classes.ts'

/** A link that looks like a button, for steps without a form. */
export function ButtonLink({ look = 'primary', wide, icon, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={classes(styles.button, styles[look], wide && styles.wide)}>
      {icon}
      {children}
    </a>
  )
}

type ButtonLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'style'> & {
  href: string
  look?: ButtonLook
  wide?: boolean
  icon?: ReactNode
}
