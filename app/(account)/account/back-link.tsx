import styles from './back-link.module.css'

/** The link to the section, above the heading of a page below it. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className={styles.back}>
      <span aria-hidden="true">←</span> {children}
    </a>
  )
}
