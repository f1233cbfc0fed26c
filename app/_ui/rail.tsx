import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './rail.module.css'

/** The subject of the pages (an account, a team) and their navigation: at the side, or at the top of a narrow screen. */
export function Rail({ picture, name, second, leave, label, sections }: RailProps) {
  return (
    <div className={styles.rail}>
      <div className={styles.who}>
        {picture}
        <p className={styles.names}>
          <bdi className={styles.name} title={name} translate="no">
            {name}
          </bdi>
          {second && <span className={styles.second}>{second}</span>}
        </p>
        <a href={leave.href} className={styles.leave}>
          {leave.text}
        </a>
      </div>
      {sections.length > 0 && (
        <nav aria-label={label}>
          <ul className={styles.sections}>
            {sections.map(({ href, icon, text, isCurrent }) => (
              <li key={href}>
                <a href={href} className={styles.section} aria-current={isCurrent ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

type Section = { href: string; icon: IconName; text: string; isCurrent: boolean }

type RailProps = {
  picture: ReactNode
  name: string
  /** The smaller line below the name. */
  second?: ReactNode
  /** The link beside the name that leaves these pages. */
  leave: { href: string; text: string }
  /** The name of the navigation, for screen readers. */
  label: string
  sections: readonly Section[]
}
