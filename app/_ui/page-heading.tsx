import './inside-styles.ts'
import type { ReactNode } from 'react'
import { HeadingWords } from './heading-words.tsx'
import styles from './page-heading.module.css'

/** The heading of an account page, with a sentence about its purpose. */
export function PageHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles.heading}>
      <h1>
        <HeadingWords>{title}</HeadingWords>
      </h1>
      {children && <p>{children}</p>}
    </header>
  )
}
