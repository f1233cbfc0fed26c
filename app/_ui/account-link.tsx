import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { readVisitor } from '#app/_page/visitor.ts'
import styles from './account-link.module.css'
import { Avatar } from './avatar.tsx'
import { pictureUrl } from './picture-url.ts'

/** A link to the account; not shown on account pages, nor during an app's request, which it would interrupt. */
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
