import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { graceDays } from '#lib/account/data/deletion'
import { longestReason } from '#lib/admin/admin-form'
import { resetHours } from '#lib/admin/people/factor-reset'
import type { PersonAct, PersonView } from '#lib/admin/people/store'
import type { Flash } from '#lib/http/flash'
import styles from './person-acts.module.css'

/** The acts that fit the state of an account. Each opens a form that asks for the reason, without script. */
export function PersonActs({ person, flash }: { person: PersonView; flash: Flash }) {
  return (
    <div className={styles.acts}>
      {actsFor(person).map((act) => (
        <ActForm key={act} act={act} person={person} flash={flash} />
      ))}
    </div>
  )
}

function actsFor({ disabledAt, deleteAfter, reset, isOperator }: PersonView): PersonAct[] {
  const resets: PersonAct[] = isOperator ? [] : ['reset_factors']
  return [
    'unlock',
    'sign_out',
    ...(reset ? (['cancel_reset'] as const) : resets),
    disabledAt ? 'enable' : 'disable',
    deleteAfter ? 'keep' : 'delete',
  ]
}

const waits = { hours: resetHours, days: graceDays }
const grave: readonly PersonAct[] = ['disable', 'delete', 'reset_factors']

function ActForm({ act, person, flash }: { act: PersonAct; person: PersonView; flash: Flash }) {
  const t = useTranslations('admin')
  const isKept = flash.kept.act === act
  const missing = flash.problems.some(({ field }) => field === `reason-${act}`)
  return (
    <details open={isKept}>
      <summary>{t(`person.act.${act}.title`)}</summary>
      <form method="post" action="/admin/person/act" noValidate>
        <SessionToken />
        <HiddenFields values={{ person: person.id, act }} />
        <p>{t(`person.act.${act}.what`, waits)}</p>
        <Field
          id={`reason-${act}`}
          name="reason"
          label={t('reason')}
          help={t('reasonHelp')}
          problem={missing ? t('problems.reason_missing') : undefined}
          defaultValue={isKept ? flash.kept.reason : ''}
          maxLength={longestReason}
          autoComplete="off"
        />
        <Button
          type="submit"
          id={`act-${act}`}
          look={grave.includes(act) ? 'danger' : 'secondary'}
          busyText={t('busy')}
        >
          {t(`person.act.${act}.button`, waits)}
        </Button>
      </form>
    </details>
  )
}
