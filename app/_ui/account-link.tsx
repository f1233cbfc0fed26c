import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { readVisitor } from '#app/_page/visitor.ts'
import styles from './account-link.module.css'
import { Avatar } from './avatar.tsx'
import { pictureUrl } from './picture-url.ts'

/** The way to one's account from elsewhere; on the way into an app it would lead astray. */
export async function AccountLink() {
  const [{ context, current }, sent, t] = await Promise.all([readVisitor(), headers(), getTranslations('account')])
  if (!current || /^\/account\b|[?&]request=/.test(sent.get('x-path') ?? '')) return null
  const { name, username, avatarFile } = current.person
  return (
    <a href="/account" className={styles.link}>
      <Avatar name={name || username} src={pictureUrl(context.config.issuer, avatarFile)} size="s" />
      {t('open')}
    </a>
  )
}
