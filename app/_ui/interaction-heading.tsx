import type { ReactNode } from 'react'
import { HeadingWords } from './heading-words.tsx'
import styles from './interaction-heading.module.css'

/** The heading of an interaction page, with a sentence about the purpose of the step. */
export function InteractionHeading({
  above,
  title,
  children,
}: {
  above?: ReactNode
  title: ReactNode
  children?: ReactNode
}) {
  return (
    <header className={styles.heading}>
      {above}
      <h1>
        <HeadingWords>{title}</HeadingWords>
      </h1>
      {children && <div className={styles.lede}>{children}</div>}
    </header>
  )
}
