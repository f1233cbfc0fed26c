import styles from './back-link.module.css'

/** The way back up, above the heading of a page below a section. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className={styles.back}>
      <span aria-hidden="true">←</span> {children}
    </a>
  )
}
