import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { type Credential, lastUse } from '#lib/console/last-use'

/** A secret or a key: its name, what is known about it, and a form that removes it. */
export function CredentialRow({ id, name, tag, facts, removal }: CredentialRowProps) {
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <Icon name="key" />
      </span>
      <div className={rows.words}>
        <h3 className={rows.title} id={id}>
          <code translate="no">{name}</code>
          {tag}
        </h3>
        <p className={rows.facts}>{facts}</p>
      </div>
      {removal && <Removal id={id} {...removal} />}
    </li>
  )
}

/** A plain form that works without script. The member opens it first, so the removal needs no further confirmation. */
function Removal({ id, action, values, what }: Removal & { id: string }) {
  const t = useTranslations('consoleApps.credentials')
  return (
    <details className={rows.edit}>
      <summary aria-describedby={id}>{t('remove')}</summary>
      <form method="post" action={action} className={`${rows.form} ${rows.forms}`}>
        <SessionToken />
        <HiddenFields values={values} />
        <p>{what}</p>
        <Button type="submit" look="danger" icon={<Icon name="trash" />} busyText={t('removing')} aria-describedby={id}>
          {t('remove')}
        </Button>
      </form>
    </details>
  )
}

/** When the credential was made, and when it was last used. */
export function CredentialFacts({ credential }: { credential: Credential }) {
  const t = useTranslations('consoleApps.credentials')
  const used = lastUse(credential)
  return (
    <>
      <span>{t.rich('made', { time: () => <Day at={credential.createdAt} /> })}</span>
      <span>{used ? t.rich('used', { time: () => <TimeAgo at={used} /> }) : t('unused')}</span>
    </>
  )
}

type Removal = { action: string; values: Record<string, string>; what: string }

type CredentialRowProps = {
  id: string
  name: string
  tag?: ReactNode
  facts: ReactNode
  /** Absent for a viewer, and for a key that the app cannot do without. */
  removal: Removal | undefined
}
