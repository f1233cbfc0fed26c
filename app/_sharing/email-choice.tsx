import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { type ConsentQuestion, mayHide } from '#lib/oauth/consent/consent'
import type { EmailChoice as Choice } from '#lib/oauth/store'

/** The choice of the address for an app: the bound one, a relay address, or none (specification §2.7). */
export function EmailChoice({ question, app, email, alias, offersRelay, tagged, problem }: EmailChoiceProps) {
  const t = useTranslations('emailChoice')
  const words = useTranslations('consent')
  if (question.email === 'none') return null
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
      chosen={chosenOf(question, email)}
      items={[
        { value: 'regular', label: t('regular'), help: email ? richAddress(email) : t('unbound') },
        ...(mayHide({ offersRelay }, question) ? [{ value: 'hidden', label: t('hidden'), help: hiddenHelp() }] : []),
        ...(required ? [] : [none]),
      ]}
    />
  )
}

/**
 * Returns the earlier choice if it is still allowed. The default is the bound address, or `none` when no address is
 * bound and the app does not require one.
 */
function chosenOf({ email: asked, emailChoice }: ConsentQuestion, email: string | undefined): Choice {
  const first = email === undefined && asked === 'optional' ? 'none' : 'regular'
  return emailChoice === undefined || (emailChoice === 'none' && asked === 'required') ? first : emailChoice
}

type EmailChoiceProps = {
  question: ConsentQuestion
  app: string
  email: string | undefined
  /** The existing relay address for this app. */
  alias: string | undefined
  offersRelay: boolean
  tagged?: boolean
  problem?: ReactNode
}
