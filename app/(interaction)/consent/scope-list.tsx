import { useTranslations } from 'next-intl'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { Person } from '#lib/account/session'
import type { ConsentQuestion } from '#lib/oauth/authorize/consent'
import type { Client } from '#lib/oauth/client'
import { asksForMore } from './asks-for-more.ts'
import { SharedValue } from './shared-value.tsx'
import { type WordedScope, wordedScopes } from './worded-scopes.ts'

/** Each scope in plain words with the value that would be sent; what the app cannot do without is locked. */
export function ScopeList({ question, client, person, issuer }: ScopeListProps) {
  const t = useTranslations('consent')
  const words = useTranslations('scopes')
  const more = asksForMore(question)
  const valueShown = (scope: WordedScope) => (
    <SharedValue scope={scope} person={person} team={client.teamName} issuer={issuer} />
  )
  // An optional address is a question of its own below the list.
  const listed = question.scopes.filter(({ name, required }) => name !== 'email' || required)
  const items = listed.flatMap(({ name: value, required, isNew, chosen }) => {
    const scope = wordedScopes.find((one) => one === value)
    if (!scope) return []
    const label = (
      <>
        {words(scope)}
        {more && isNew && <Tag>{t('new')}</Tag>}
      </>
    )
    return [{ value, label, help: valueShown(scope), checked: chosen, locked: required }]
  })
  const optional = items.some((item) => !item.locked)
  return (
    <CheckboxList
      id="scope"
      legend={t('sees', { app: client.name })}
      help={optional ? t('optional') : undefined}
      items={items}
    />
  )
}

type ScopeListProps = { question: ConsentQuestion; client: Client; person: Person; issuer: string }
