import { useTranslations } from 'next-intl'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Joint } from '#app/_ui/joint.tsx'
import type { Client } from '#lib/oauth/client/client'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'

/** Who makes the app and where it lives; and, to somebody who decided before, why they are asked again. */
export function Introduction({ client, domains, question: { scopes, settled } }: IntroductionProps) {
  const t = useTranslations('consent')
  const again = settled.length > 0 || scopes.some(({ isNew }) => !isNew)
  const more = scopes.some(({ isNew }) => isNew)
  const needs = settled.length > 0 && !more
  return (
    <>
      <p>
        {t('madeBy', { app: client.name, team: client.teamName })}
        <Joint />
        {client.homepage && (
          <a href={client.homepage} rel="noreferrer">
            {new URL(client.homepage).host}
          </a>
        )}
      </p>
      {domains.map((domain) => (
        <Assurance key={domain}>
          {t.rich('verified', {
            domain: () => <bdi translate="no">{domain}</bdi>,
          })}
        </Assurance>
      ))}
      {again && more && <p>{t('more', { app: client.name })}</p>}
      {again && !more && !needs && <p>{t('again')}</p>}
      {needs && <p>{t('needs', { app: client.name })}</p>}
    </>
  )
}

/** `domains` are those the app has proven by DNS to be its own. */
type IntroductionProps = { client: Client; domains: string[]; question: ConsentQuestion }
