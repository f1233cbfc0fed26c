import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { Person } from '#lib/account/signed-in/session'
import type { Client } from '#lib/oauth/client/client'
import { type ConsentQuestion, mayHide } from '#lib/oauth/consent/consent'
import { preselectedEmail } from '#lib/oauth/consent/preselected-email'

/** The choice of the address for an app: the bound one, a relay address, or none (specification §2.7). */
export function EmailChoice({ question, client, person, alias, offersRelay, tagged, problem }: EmailChoiceProps) {
  const t = useTranslations('emailChoice')
  const words = useTranslations('consent')
  if (question.email === 'none') return null
  const app = client.name
  const { email } = person
  const required = question.email === 'required'
  const isNew = question.scopes.some((scope) => scope.name === 'email' && scope.isNew)
  const rich = { address: richAddress }
  const hiddenHelp = () => {
    if (email === undefined) return t('hiddenUnbound', { app })
    return alias === undefined
      ? t.rich('hiddenNew', { app, email, ...rich })
      : t.rich('hiddenKnown', { app, email, alias, ...rich })
  }
  const none = { value: 'none', label: t('none'), help: t('noneHelp', { app }) }
  return (
    <RadioList
      name="email_choice"
      legend={
        <>
          {t('question', { app })}
          {tagged && isNew && <Tag>{words('new')}</Tag>}
        </>
      }
      help={required ? t('required', { app }) : undefined}
      problem={problem}
      chosen={preselectedEmail(question, person, client, { offersRelay })}
      items={[
        { value: 'regular', label: t('regular'), help: email ? richAddress(email) : t('unbound') },
        ...(mayHide({ offersRelay }, question) ? [{ value: 'hidden', label: t('hidden'), help: hiddenHelp() }] : []),
        ...(required ? [] : [none]),
      ]}
    />
  )
}

type EmailChoiceProps = {
  question: ConsentQuestion
  client: Client
  person: Person
  /** The existing relay address for this app. */
  alias: string | undefined
  offersRelay: boolean
  tagged?: boolean
  problem?: ReactNode
}
