import type { ReactNode } from 'react'
import { HeadingWords } from './heading-words.tsx'
import styles from './journey-heading.module.css'

/** The one heading of a journey card, with the sentence that says what this step is for. */
export function JourneyHeading({
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
