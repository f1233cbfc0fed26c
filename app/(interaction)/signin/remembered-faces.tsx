import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { RememberedAccount } from '#lib/sign-in/remembered/remembered-accounts'
import styles from './remembered-faces.module.css'

/**
 * The accounts that this browser remembers: a face fills in its username, and a small button removes it. One form for all,
 * because it contains the app's sealed request.
 */
export function RememberedFaces({ accounts, chosen, hiddenFields, issuer }: RememberedFacesProps) {
  const t = useTranslations('signin')
  if (accounts.length === 0) return null
  return (
    <form method="post" action="/signin/forget">
      <HiddenFields values={hiddenFields} />
      <ul className={styles.faces} aria-label={t('remembered')}>
        {accounts.map(({ mark, username, name, avatarFile, initials }) => (
          <li key={mark}>
            <button
              type="submit"
              formMethod="get"
              formAction="/signin"
              name="who"
              value={mark}
              className={styles.face}
              aria-current={mark === chosen ? 'true' : undefined}
            >
              <Avatar name={name || username} initials={initials} src={pictureUrl(issuer, avatarFile)} size="l" />
              <span className={styles.words} translate="no">
                <bdi>{name || username}</bdi>
                {name && <bdi className={styles.username}>{username}</bdi>}
              </span>
            </button>
            <button
              type="submit"
              name="who"
              value={mark}
              className={styles.forget}
              aria-label={t('removeName', { name: username })}
            >
              <Icon name="close" />
              <span>{t('remove')}</span>
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}

type RememberedFacesProps = {
  accounts: RememberedAccount[]
  /** The mark of the account whose username is filled in. */
  chosen: string | undefined
  hiddenFields: Record<string, string>
  issuer: string
}
