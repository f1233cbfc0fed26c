import { Avatar } from './avatar.tsx'
import { Mark } from './mark.tsx'
import styles from './meeting.module.css'

/** The app and the gate it asks at, side by side above a journey page's heading. */
export function Meeting({ app, logo }: { app: string; logo?: string | undefined }) {
  return (
    <div className={styles.meeting} aria-hidden="true">
      <Avatar kind="app" name={app} src={logo} />
      <span className={styles.path} />
      <span className={styles.gate}>
        <Mark size={28} />
      </span>
    </div>
  )
}
