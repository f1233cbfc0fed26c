import { useTranslations } from 'next-intl'
import type { Client } from '#lib/oauth/client/client'
import styles from './app-papers.module.css'

/** The host that the browser returns to, and the app's privacy policy and terms. */
export function AppPapers({ client, redirectUri }: { client: Client; redirectUri: string }) {
  const t = useTranslations('consent')
  const papers = [
    { href: client.policyUri, text: t('policy', { app: client.name }) },
    { href: client.tosUri, text: t('terms', { app: client.name }) },
  ].filter(({ href }) => href)
  const { protocol, host } = new URL(redirectUri)
  const onTheWeb = protocol === 'https:' || protocol === 'http:'
  return (
    <div className={styles.papers}>
      <p>{onTheWeb ? t.rich('returnTo', { host, to: (chunks) => <strong>{chunks}</strong> }) : t('returnToDevice')}</p>
      {papers.length > 0 && (
        <ul>
          {papers.map(({ href, text }) => (
            <li key={text}>
              <a href={href} rel="noreferrer">
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
