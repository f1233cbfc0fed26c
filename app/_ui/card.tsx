import type { ReactNode } from 'react'
import styles from './card.module.css'
import { classes } from './classes.ts'
import { HeadingWords } from './heading-words.tsx'

/** A card: one subject, with its actions below. */
export function Card({ title, level = 2, quiet, actions, children }: CardProps) {
  const Heading = `h${level}` as const
  return (
    <section className={classes(styles.card, quiet && styles.quiet)}>
      {title && (
        <Heading>
          <HeadingWords>{title}</HeadingWords>
        </Heading>
      )}
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}

type CardProps = {
  title?: ReactNode
  level?: 1 | 2 | 3
  quiet?: boolean
  actions?: ReactNode
  children?: ReactNode
}
