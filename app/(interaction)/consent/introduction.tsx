import { useTranslations } from 'next-intl'
import type { ConsentQuestion } from '#lib/oauth/authorize/consent'
import type { Client } from '#lib/oauth/client'

/** Who makes the app and where it lives; and, to somebody who decided before, why they are asked again. */
export function Introduction({ client, question: { scopes, settled } }: IntroductionProps) {
  const t = useTranslations('consent')
  const again = settled.length > 0 || scopes.some(({ isNew }) => !isNew)
  const more = scopes.some(({ isNew }) => isNew)
  const needs = settled.length > 0 && !more
  return (
    <>
      <p>
        {t('madeBy', { app: client.name, team: client.teamName })}{' '}
        {client.homepage && (
          <a href={client.homepage} rel="noreferrer">
            {new URL(client.homepage).host}
          </a>
        )}
      </p>
      {again && more && <p>{t('more', { app: client.name })}</p>}
      {again && !more && !needs && <p>{t('again')}</p>}
      {needs && <p>{t('needs', { app: client.name })}</p>}
    </>
  )
}

type IntroductionProps = { client: Client; question: ConsentQuestion }
