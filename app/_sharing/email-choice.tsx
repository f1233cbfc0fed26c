import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'
import type { EmailChoice as Choice } from '#lib/oauth/store'

/** How the app may write to this person: their own address, one that hides it, or not at all (specification §2.7). */
export function EmailChoice({ question, app, email, alias, tagged, problem }: EmailChoiceProps) {
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
        { value: 'hidden', label: t('hidden'), help: hiddenHelp() },
        ...(required ? [] : [none]),
      ]}
    />
  )
}

/** What was chosen before; the first time the own address, or none when there is none and the app can do without. */
function chosenOf({ email: asked, emailChoice }: ConsentQuestion, email: string | undefined): Choice {
  const first = email === undefined && asked === 'optional' ? 'none' : 'regular'
  return emailChoice === undefined || (emailChoice === 'none' && asked === 'required') ? first : emailChoice
}

type EmailChoiceProps = {
  question: ConsentQuestion
  app: string
  email: string | undefined
  /** The relay address there is for this app already. */
  alias: string | undefined
  tagged?: boolean
  problem?: ReactNode
}
