import { useTranslations } from 'next-intl'
import { Field } from '#app/_ui/field.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { problemOf, type useAppProblems } from './app-problems.tsx'

const algs = ['ES256', 'RS256'] as const

/** The fields of an API that can be changed: its name, its scopes and the signatures of its tokens. */
export function ApiFields({ values, problems }: ApiFieldsProps) {
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
  values: { name?: string | undefined; scopes?: string | undefined; signing_alg?: string | undefined }
  problems: ReturnType<typeof useAppProblems>
}
