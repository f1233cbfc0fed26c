import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { Person } from '#lib/account/signed-in/session'
import styles from './rail.module.css'
import { isCurrent, sections } from './sections.ts'

/** The signed-in account and the navigation: at the side, or at the top of a narrow screen. */
export function Rail({ person, issuer, path, offersRelay }: RailProps) {
  const t = useTranslations('account')
  const name = person.name || person.username
  const shown = sections.filter(({ key }) => offersRelay || key !== 'hideMyEmail')
  return (
    <div className={styles.rail}>
      <div className={styles.who}>
        <Avatar name={name} src={pictureUrl(issuer, person.avatarFile)} />
        <p className={styles.names} translate="no">
          <bdi className={styles.name} title={name}>
            {name}
          </bdi>
          {person.name && (
            <bdi className={styles.username} title={person.username}>
              {person.username}
            </bdi>
          )}
        </p>
        <a href="/logout" className={styles.leave}>
          {t('signOut')}
        </a>
      </div>
      <nav aria-label={t('nav')}>
        <ul className={styles.sections}>
          {shown.map(({ key, path: section, icon }) => (
            <li key={key}>
              <a href={section} className={styles.section} aria-current={isCurrent(section, path) ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{t(`sections.${key}`)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

type RailProps = { person: Person; issuer: string; path: string; offersRelay: boolean }
