import { useTranslations } from 'next-intl'
import { isWorded } from '#app/_sharing/worded-scopes.ts'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Fold } from '#app/_ui/fold.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { problemOf, type useAppProblems } from '#app/(console)/console/app-problems.tsx'
import type { TeamApp } from '#lib/console/app/store'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'

const fields = [
  'required_scopes',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'id_token_signed_response_alg',
] as const
const flags = ['id_token_claims', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens'] as const

/** The fields that few apps need, folded unless one of them has a problem. */
export function AdvancedFields({ app, values, problems }: AdvancedFieldsProps) {
  const t = useTranslations('consoleAdvanced')
  const apps = useTranslations('consoleApps')
  const of = (name: string) => problemOf(problems, name)
  const algs = profileOf(app.profile as ProfileName).idTokenAlgs
  return (
    <Fold
      title={t('advanced')}
      what={t('advancedWhat')}
      open={[...fields, ...flags].some((name) => of(name) !== undefined)}
    >
      <RequiredScopes values={values} problem={of('required_scopes')} />
      <TextField
        label={apps('returnUris')}
        help={apps('returnUrisHelp')}
        name="post_logout_redirect_uris"
        autoComplete="off"
        spellCheck={false}
        optional
        defaultValue={values.post_logout_redirect_uris}
        problem={of('post_logout_redirect_uris')}
      />
      <Field
        label={apps('addresses.backchannel_logout_uri')}
        help={apps('addressHelp.backchannel_logout_uri')}
        name="backchannel_logout_uri"
        type="url"
        autoComplete="off"
        optional
        defaultValue={values.backchannel_logout_uri}
        problem={of('backchannel_logout_uri')}
      />
      <RadioList
        name="id_token_signed_response_alg"
        legend={t('alg')}
        help={t('algHelp')}
        chosen={values.id_token_signed_response_alg ?? algs[0]}
        problem={of('id_token_signed_response_alg')}
        items={algs.map((value) => ({ value, label: value }))}
      />
      <CheckboxList
        id="flags"
        legend={t('flags')}
        problem={flags.map(of).find((problem) => problem !== undefined)}
        items={flags.map((name) => ({
          value: name,
          label: t(`flag.${name}`),
          help: t(`flagWhat.${name}`),
          checked: values[name] === 'true',
        }))}
      />
    </Fold>
  )
}

/** The scopes that a person cannot decline; openid and a required e-mail address are among them without a box. */
function RequiredScopes({ values, problem }: Pick<AdvancedFieldsProps, 'values'> & { problem: React.ReactNode }) {
  const t = useTranslations('consoleAdvanced')
  const words = useTranslations('scopes')
  const required = values.required_scopes?.split('\n') ?? []
  const asked = (values.scopes?.split('\n') ?? []).filter((scope) => !['openid', 'profile', 'email'].includes(scope))
  if (asked.length === 0) return null
  return (
    <CheckboxList
      id="required_scopes"
      legend={t('required')}
      help={t('requiredHelp')}
      problem={problem}
      items={asked.map((scope) => ({
        value: scope,
        label: isWorded(scope) ? words(scope) : scope,
        checked: required.includes(scope),
      }))}
    />
  )
}

type AdvancedFieldsProps = {
  app: TeamApp
  values: Record<string, string>
  problems: ReturnType<typeof useAppProblems>
}
