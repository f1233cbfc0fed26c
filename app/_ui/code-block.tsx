import { classes } from './classes.ts'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** Text to copy exactly: an identifier, a secret, a few lines of settings. */
export function CodeBlock({ id, label, wrap = false, children }: CodeBlockProps) {
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span id={`${id}-label`}>{label}</span>
        <CopyButton from={id} describedBy={`${id}-label`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard (WCAG 2.1.1). */}
      <section className={classes(styles.code, wrap && styles.wrap)} tabIndex={0} aria-label={label}>
        <pre>
          <code id={id} translate="no">
            {children}
          </code>
        </pre>
      </section>
    </figure>
  )
}

type CodeBlockProps = {
  id: string
  label: string
  /** For text that is typed by hand: wraps on a narrow screen instead of scrolling. */
  wrap?: boolean
  children: string
}
