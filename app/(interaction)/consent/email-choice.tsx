import { useTranslations } from 'next-intl'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { ConsentQuestion } from '#lib/oauth/authorize/consent'
import { asksForMore } from './asks-for-more.ts'

/** Whether the app may write to this person. A required address stands in the list above, and is sent with the form. */
export function EmailChoice({ question, app, email }: EmailChoiceProps) {
  const t = useTranslations('consent')
  if (question.email === 'none') return null
  if (question.email === 'required') return <input type="hidden" name="email_choice" value="regular" />
  const asked = question.scopes.find(({ name }) => name === 'email')
  return (
    <RadioList
      name="email_choice"
      legend={
        <>
          {t('email.question', { app })}
          {asked?.isNew && asksForMore(question) && <Tag>{t('new')}</Tag>}
        </>
      }
      chosen={email && asked?.chosen ? 'regular' : 'none'}
      items={[
        {
          value: 'regular',
          label: t('email.regular'),
          help: email ? <bdi translate="no">{email}</bdi> : t('email.unbound'),
          disabled: email === undefined,
        },
        { value: 'none', label: t('email.none'), help: t('email.noneHelp', { app }) },
      ]}
    />
  )
}

type EmailChoiceProps = { question: ConsentQuestion; app: string; email: string | undefined }
