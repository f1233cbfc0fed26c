import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { Person } from '#lib/account/signed-in/session'
import type { AskedScope } from '#lib/oauth/consent/consent'
import { hasValue, SharedValue } from './shared-value.tsx'
import { inSentence, isWorded } from './worded-scopes.ts'

/**
 * Each scope with its text and value; required scopes are locked. Those without a value are folded into one line, except
 * the name where `nameField` asks for it.
 */
export function ScopeList({ legend, help, scopes, tagged, team, person, issuer, nameField }: ScopeListProps) {
  const t = useTranslations('consent')
  const words = useTranslations('scopes')
  const format = useFormatter()
  const listed = listedOf(scopes)
  const isOpen = ({ name }: (typeof listed)[number]) => hasValue(name, person) || (name === 'name' && nameField)
  const toItem = ({ name, required, isNew, chosen }: (typeof listed)[number]) => ({
    value: name,
    label: (
      <>
        {words(name)}
        {tagged && isNew && <Tag>{t('new')}</Tag>}
        {required && !chosen && <Tag>{t('declinedBefore')}</Tag>}
      </>
    ),
    help: hasValue(name, person) && <SharedValue scope={name} person={person} team={team} issuer={issuer} />,
    below: name === 'name' && person.name === '' ? nameField : undefined,
    checked: chosen,
    locked: required,
  })
  if (listed.length === 0) return null
  const empty = listed.filter((scope) => !isOpen(scope))
  const names = format.list(empty.map(({ name }) => inSentence(words(name))))
  const optional = listed.some(({ required }) => !required)
  return (
    <CheckboxList
      id="scope"
      legend={legend}
      help={optional ? help : undefined}
      items={listed.filter(isOpen).map(toItem)}
      folded={empty.length > 0 ? { summary: t('empty', { names }), items: empty.map(toItem) } : undefined}
    />
  )
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
  /** A field for the name of a person who has none. */
  nameField?: ReactNode
}
