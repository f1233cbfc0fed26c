import { useTranslations } from 'next-intl'
import type { ConsentQuestion } from '#lib/oauth/authorize/consent'
import type { Client } from '#lib/oauth/client'
import { asksForMore } from './asks-for-more.ts'

/** Who makes the app and where it lives; and, to somebody who decided before, that it asks for more. */
export function Introduction({ client, question }: { client: Client; question: ConsentQuestion }) {
  const t = useTranslations('consent')
  return (
    <>
      <p>{t('madeBy', { app: client.name, team: client.teamName })}</p>
      {client.homepage && (
        <p>
          <a href={client.homepage} rel="noreferrer">
            {new URL(client.homepage).host}
          </a>
        </p>
      )}
      {asksForMore(question) && <p>{t('more', { app: client.name })}</p>}
    </>
  )
}
