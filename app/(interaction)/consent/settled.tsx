import { useFormatter, useTranslations } from 'next-intl'
import { SharedValue } from '#app/_sharing/shared-value.tsx'
import { inSentence, isWorded } from '#app/_sharing/worded-scopes.ts'
import type { Person } from '#lib/account/signed-in/session'
import type { Api } from '#lib/oauth/client/api'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'
import styles from './settled.module.css'

/** Earlier decisions that are not asked again: one line that expands to the values. */
export function Settled({ question, apis, team, person, alias, issuer }: SettledProps) {
  const t = useTranslations('consent.settled')
  const words = useTranslations('scopes')
  const format = useFormatter()
  const settled = question.settled.flatMap(({ name, granted }) => (isWorded(name) ? [{ name, granted }] : []))
  const given = settled.filter(({ granted }) => granted)
  const used = apis.flatMap(({ name: api, scopes }) =>
    question.settled.filter(({ name }) => scopes.includes(name)).map((scope) => ({ api, ...scope })),
  )
  if (settled.length + used.length === 0) return null
  const named = given.filter(({ name }) => given.length === 1 || name !== 'openid')
  const hidden = question.emailChoice === 'hidden'
  const names = format.list([
    ...named.map(({ name }) => inSentence(name === 'email' && hidden ? t('relayAddress') : words(name))),
    ...used.filter(({ granted }) => granted).map(({ name }) => name),
  ])
  return (
    <details className={styles.settled}>
      <summary>{t('shared', { names })}</summary>
      <dl>
        {settled.map(({ name, granted }) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>
              {granted ? (
                <SharedValue
                  scope={name}
                  // Shows the relay address where the bound one is hidden.
                  person={name === 'email' && hidden ? { ...person, email: alias } : person}
                  team={team}
                  issuer={issuer}
                />
              ) : (
                t('kept')
              )}
            </dd>
          </div>
        ))}
        {used.map(({ api, name, granted }) => (
          <div key={name}>
            <dt>{api}</dt>
            <dd>{granted ? <bdi translate="no">{name}</bdi> : t('kept')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

type SettledProps = {
  question: ConsentQuestion
  apis: readonly Api[]
  team: string
  person: Person
  alias: string | undefined
  issuer: string
}
