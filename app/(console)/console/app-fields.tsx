import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { isWorded } from '#app/_sharing/worded-scopes.ts'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { type AppKind, emailRules } from '#lib/apps/app-fields'
import { isSensitive } from '#lib/apps/sensitive-scopes'
import { profileNames, profileOf } from '#lib/oauth/client/profile'
import { holdsScope, knownScopes } from '#lib/oauth/scope'
import styles from './uri-status.module.css'

/** Names the fields that a form shows: a browser does not send a box that is not checked. */
export const Shown = ({ fields }: { fields: readonly string[] }) =>
  fields.map((field) => <input key={field} type="hidden" name="shown" value={field} />)

type FieldProps = { problem: ReactNode }

/** The redirect URIs, one on each line; a script checks them while they are typed. */
export function RedirectUrisField({ value, kind, isEvaluation, problem }: RedirectUrisFieldProps) {
  const t = useTranslations('consoleApps')
  const help =
    kind === 'public' ? 'redirectUrisHelpPublic' : isEvaluation ? 'redirectUrisHelpEvaluation' : 'redirectUrisHelp'
  return (
    <TextField
      label={t('redirectUris')}
      help={
        <>
          {t(help)}
          <span
            role="status"
            className={styles.status}
            data-uri-status
            data-kind={kind}
            data-good={t('uriCheck.good')}
            data-line={t('ruleOfLine', { line: '{line}', rule: '{rule}' })}
          />
        </>
      }
      name="redirect_uris"
      autoComplete="off"
      spellCheck={false}
      defaultValue={value}
      problem={problem}
    />
  )
}

type RedirectUrisFieldProps = FieldProps & { value: string | undefined; kind: AppKind; isEvaluation: boolean }

/** Scopes without a box: every app has openid, profile is a bundle, and the e-mail address has a question of its own. */
const apart: readonly string[] = ['openid', 'profile', 'email']

/** The scopes, in the words that people read on the consent page; says which need the approval of an operator. */
export function ScopesField({ chosen, allowed, waiting, isReviewed, problem }: ScopesFieldProps) {
  const t = useTranslations('consoleApps')
  const isNew = (scope: string) => isReviewed && isSensitive(scope) && !holdsScope(allowed, scope)
  const words = useTranslations('scopes')
  const items = knownScopes
    .filter((scope) => !apart.includes(scope))
    .map((scope) => ({
      value: scope,
      label: isWorded(scope) ? words(scope) : scope,
      help: (
        <>
          <code translate="no">{scope}</code>
          {isNew(scope) && ` · ${t(waiting.includes(scope) ? 'review.waits' : 'review.needs')}`}
        </>
      ),
      checked: chosen.includes(scope),
    }))
  return <CheckboxList id="scopes" legend={t('scopes')} help={t('scopesHelp')} problem={problem} items={items} />
}

type ScopesFieldProps = FieldProps & {
  chosen: readonly string[]
  /** The scopes that the app may ask for already. */
  allowed: readonly string[]
  /** Those that wait for an operator. */
  waiting: readonly string[]
  /** Whether operators review sensitive scopes. */
  isReviewed: boolean
}

/** Whether the app needs an e-mail address; people may always give a relay address. */
export function EmailField({ chosen, problem }: FieldProps & { chosen: string }) {
  const t = useTranslations('consoleApps')
  const items = emailRules.map((value) => ({ value, label: t(`email.${value}`), help: t(`emailWhat.${value}`) }))
  return <RadioList name="email" legend={t('emailTitle')} chosen={chosen} problem={problem} items={items} />
}

/** The profile, among those that the kind of app can have. */
export function ProfileField({ chosen, kind, problem }: FieldProps & { chosen: string; kind: AppKind }) {
  const t = useTranslations('consoleApps')
  const items = profileNames
    .filter((name) => profileOf(name).kinds.includes(kind))
    .map((value) => ({ value, label: t(`profiles.${value}`), help: t(`profileWhat.${value}`) }))
  return <RadioList name="profile" legend={t('profile')} chosen={chosen} problem={problem} items={items} />
}
