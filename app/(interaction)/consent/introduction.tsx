import { useTranslations } from 'next-intl'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import type { Client } from '#lib/oauth/client/client'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'
import { TeamMark } from './team-mark.tsx'

/** The app's team and whether it is verified; and why a person who decided before is asked again. */
export function Introduction({ client, service, question: { scopes, settled } }: IntroductionProps) {
  const t = useTranslations('consent')
  const again = settled.length > 0 || scopes.some(({ isNew }) => !isNew)
  const more = scopes.some(({ isNew }) => isNew)
  const needs = settled.length > 0 && !more
  return (
    <>
      <p>
        {t('madeBy', { app: client.name, team: client.teamName })}
        <SentenceSpace />
        {client.homepage && (
          <a href={client.homepage} rel="noreferrer">
            {new URL(client.homepage).host}
          </a>
        )}
      </p>
      <TeamMark client={client} service={service} />
      {again && more && <p>{t('more', { app: client.name })}</p>}
      {again && !more && !needs && <p>{t('again')}</p>}
      {needs && <p>{t('needs', { app: client.name })}</p>}
    </>
  )
}

type IntroductionProps = { client: Client; service: string; question: ConsentQuestion }
