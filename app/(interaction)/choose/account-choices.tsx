import { Avatar } from '#app/_ui/avatar.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { Current } from '#lib/account/signed-in/session'
import styles from './account-choices.module.css'

/** A button for each account in this browser. */
export function AccountChoices({ accounts, issuer }: { accounts: Current[]; issuer: string }) {
  return (
    <ul className={styles.list}>
      {accounts.map(({ session, person: { username, name, avatarFile } }) => (
        <li key={session.publicId}>
          <button type="submit" name="account" value={session.publicId} className={styles.account}>
            <Avatar name={name || username} src={pictureUrl(issuer, avatarFile)} />
            <span className={styles.words} translate="no">
              <bdi className={styles.name}>{name || username}</bdi>
              {name && <bdi className={styles.username}>{username}</bdi>}
            </span>
            <Icon name="arrow" />
          </button>
        </li>
      ))}
    </ul>
  )
}
