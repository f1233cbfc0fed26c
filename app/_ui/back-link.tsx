import styles from './back-link.module.css'

/** A link from a subpage back to its section, above the heading. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className={styles.back}>
      <span aria-hidden="true">←</span> {children}
    </a>
  )
}
