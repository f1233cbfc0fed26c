import { useTranslations } from 'next-intl'
import { Field } from '#app/_ui/field.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { problemOf, type useAppProblems } from './app-problems.tsx'

const algs = ['ES256', 'RS256'] as const

/** The fields of an API that can be changed: its name, its scopes and the signatures of its tokens. */
export function ApiFields({ values, problems, isReviewed }: ApiFieldsProps) {
  const t = useTranslations('consoleApis')
  return (
    <>
      <Field
        label={t('name')}
        help={t('nameHelp')}
        name="name"
        autoComplete="off"
        defaultValue={values.name}
        problem={problemOf(problems, 'name')}
      />
      <TextField
        label={t('scopes')}
        help={t('scopesHelp')}
        name="scopes"
        autoComplete="off"
        spellCheck={false}
        defaultValue={values.scopes}
        problem={problemOf(problems, 'scopes')}
      />
      <TextField
        label={t('sensitive')}
        help={t(isReviewed ? 'sensitiveReview' : 'sensitiveHelp')}
        name="sensitive_scopes"
        autoComplete="off"
        spellCheck={false}
        optional
        defaultValue={values.sensitive_scopes}
        problem={problemOf(problems, 'sensitive_scopes')}
      />
      <RadioList
        name="signing_alg"
        legend={t('alg')}
        chosen={values.signing_alg ?? 'ES256'}
        problem={problemOf(problems, 'signing_alg')}
        items={algs.map((value) => ({ value, label: t(`algs.${value}`), help: t(`algWhat.${value}`) }))}
      />
    </>
  )
}

type ApiFieldsProps = {
  values: { [Name in 'name' | 'scopes' | 'sensitive_scopes' | 'signing_alg']?: string | undefined }
  /** Whether operators review sensitive scopes. */
  isReviewed: boolean
  problems: ReturnType<typeof useAppProblems>
}
