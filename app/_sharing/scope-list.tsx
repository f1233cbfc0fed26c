import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { Person } from '#lib/account/signed-in/session'
import type { AskedScope } from '#lib/oauth/consent/consent'
import { SharedValue } from './shared-value.tsx'
import { isWorded } from './worded-scopes.ts'

/** Each scope with its text and value; required scopes are locked. */
export function ScopeList({ legend, help, scopes, tagged, team, person, issuer }: ScopeListProps) {
  const t = useTranslations('consent')
  const words = useTranslations('scopes')
  const items = listedOf(scopes).map(({ name, required, isNew, chosen }) => ({
    value: name,
    label: (
      <>
        {words(name)}
        {tagged && isNew && <Tag>{t('new')}</Tag>}
        {required && !chosen && <Tag>{t('declinedBefore')}</Tag>}
      </>
    ),
    help: <SharedValue scope={name} person={person} team={team} issuer={issuer} />,
    checked: chosen,
    locked: required,
  }))
  if (items.length === 0) return null
  const optional = items.some((item) => !item.locked)
  return <CheckboxList id="scope" legend={legend} help={optional ? help : undefined} items={items} />
}

/** Omits the e-mail scope, because EmailChoice asks for it. */
const listedOf = (scopes: AskedScope[]) =>
  scopes.flatMap(({ name, ...scope }) => (name !== 'email' && isWorded(name) ? [{ name, ...scope }] : []))

type ScopeListProps = {
  legend: ReactNode
  help: ReactNode
  scopes: AskedScope[]
  /** Whether new scopes are marked: only when the list also contains others. */
  tagged: boolean
  team: string
  person: Person
  issuer: string
}
