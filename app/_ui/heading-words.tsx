import './base-styles.ts'
import type { ReactNode } from 'react'
import styles from './heading-words.module.css'

/** The words of a heading. Keeps "e-mail" on one line, because a line would break at its hyphen. */
export function HeadingWords({ children }: { children: ReactNode }) {
  if (typeof children !== 'string') return children
  const [before, word, after] = children.split(/(e-mail)(.*)$/i)
  if (!word) return children
  return (
    <>
      {before}
      <span className={styles.whole}>{word}</span>
      {after}
    </>
  )
}
