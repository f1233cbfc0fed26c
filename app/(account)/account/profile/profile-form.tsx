import { useLocale, useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import { profileLimits } from '#lib/account/person/person-rules'
import type { ProfileField } from '#lib/account/profile/profile'
import type { Person } from '#lib/account/signed-in/session'
import type { Flash } from '#lib/http/flash'
import { localeNames, locales } from '#lib/text/messages'
import styles from './profile-form.module.css'
import { regionChoices } from './region-choices.ts'
import { useProfileProblems } from './use-profile-problems.ts'

/** The fields of the profile (specification §2.7); empty fields are unset. */
export function ProfileForm({ person, shown, flash }: ProfileFormProps) {
  const t = useTranslations('profile')
  const genders = useTranslations('scopes.genders')
  const locale = useLocale()
  const problems = useProfileProblems(flash.problems)
  const field = (name: ProfileField) => ({
    name,
    label: t(name),
    defaultValue: flash.kept[name] ?? person[name],
    problem: problems.find((problem) => problem.field === name)?.text,
  })
  const isShown = (name: ProfileField) => shown.includes(name)
  const notSaid = { value: '', label: t('notSaid') }
  return (
    <Form action="/account/profile/submit">
      <ProblemSummary problems={problems} />
      <Field label={t('username')} name="username" readOnly defaultValue={person.username} help={t('usernameHelp')} />
      {isShown('name') && <Field {...field('name')} help={t('nameHelp')} autoComplete="name" />}
      {isShown('nickname') && <Field {...field('nickname')} autoComplete="nickname" />}
      {isShown('biography') && (
        <TextField
          {...field('biography')}
          help={t('biographyHelp', { most: profileLimits.biography })}
          maxLength={profileLimits.biography}
        />
      )}
      <div className={styles.pair}>
        {isShown('birthdate') && (
          <Field {...field('birthdate')} type="date" min="1800-01-01" autoComplete="bday" help={t('birthdateHelp')} />
        )}
        {isShown('gender') && (
          <SelectField
            {...field('gender')}
            autoComplete="sex"
            items={[notSaid, ...genderValues.map((value) => ({ value, label: genders(value) }))]}
          />
        )}
        {isShown('region') && (
          <SelectField
            {...field('region')}
            autoComplete="country"
            items={[notSaid, ...regionChoices(person.region, locale)]}
          />
        )}
        {isShown('locale') && (
          <SelectField
            {...field('locale')}
            autoComplete="language"
            help={t('localeHelp')}
            items={[notSaid, ...locales.map((value) => ({ value, label: localeNames[value], lang: value }))]}
          />
        )}
      </div>
      <Actions>
        <Button type="submit" id="profile-save" busyText={t('busy')}>
          {t('save')}
        </Button>
      </Actions>
    </Form>
  )
}

const genderValues = ['male', 'female', 'other'] as const

type ProfileFormProps = {
  person: Person
  /** The fields that the operator offers (PROFILE_FIELDS). */
  shown: readonly string[]
  flash: Flash
}
