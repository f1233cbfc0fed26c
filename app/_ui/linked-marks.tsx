import { Avatar } from './avatar.tsx'
import styles from './linked-marks.module.css'
import { Mark } from './mark.tsx'

/** The logo of the app and the mark of the service, joined by a line above the heading of an interaction page. */
export function LinkedMarks({ app, logo }: { app: string; logo?: string | undefined }) {
  return (
    <div className={styles.marks} aria-hidden="true">
      <Avatar kind="app" name={app} src={logo} />
      <span className={styles.path} />
      <span className={styles.gate}>
        <Mark size={28} />
      </span>
    </div>
  )
}
