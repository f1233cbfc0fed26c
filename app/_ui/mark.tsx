import styles from './mark.module.css'

/** The mark of the service. Decorative: the name is always beside it. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path stroke="currentColor" strokeWidth="2.5" d="M6 28V14.5a10 10 0 0 1 20 0V28" />
      <path fill="currentColor" d="M4.75 28V14.5C4.75 9 9 6.8 16.6 7.2v23.6z" />
    </svg>
  )
}
