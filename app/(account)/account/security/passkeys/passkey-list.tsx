import { useTranslations } from 'next-intl'
import styles from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { useSecurityProblems } from '#app/(account)/account/security/security-problems.ts'
import type { Flash } from '#lib/http/flash'
import type { Passkey } from '#lib/sign-in/passkey/passkey'

/** Each passkey with its name, its provider, and when it was last used. */
export function PasskeyList({ passkeys, reported }: { passkeys: Passkey[]; reported: Flash['problems'] }) {
  const t = useTranslations('security.passkeys')
  const problems = useSecurityProblems(reported)
  return (
    <section className={styles.card} aria-label={t('title')}>
      <ProblemSummary problems={problems.filter(({ field }) => field !== undefined)} />
      <ul className={styles.plain}>
        {passkeys.map((passkey) => {
          const problem = problems.find(({ field }) => field === `name-${passkey.id}`)?.text
          return <PasskeyRow key={passkey.id} passkey={passkey} problem={problem} />
        })}
      </ul>
    </section>
  )
}

function PasskeyRow({ passkey, problem }: { passkey: Passkey; problem: string | undefined }) {
  const t = useTranslations('security.passkeys')
  const { id, name, backedUp, createdAt, lastUsedAt } = passkey
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name="passkey" />
      </span>
      <div className={styles.words}>
        <h2 id={`passkey-${id}`}>{name || t('unnamed')}</h2>
        <p className={styles.facts}>
          <span>{t(backedUp ? 'synced' : 'bound')}</span>
          <span>{t.rich('added', { time: () => <TimeAgo at={createdAt} /> })}</span>
          <span>{lastUsedAt ? t.rich('used', { time: () => <TimeAgo at={lastUsedAt} /> }) : t('unused')}</span>
        </p>
      </div>
      <details className={styles.edit} open={problem !== undefined}>
        <summary aria-describedby={`passkey-${id}`}>{t('edit')}</summary>
        <Edit id={id} name={name} problem={problem} />
      </details>
    </li>
  )
}

/** Plain forms that work without script. The person opens them first, so removal needs no further confirmation. */
function Edit({ id, name, problem }: { id: string; name: string; problem: string | undefined }) {
  const t = useTranslations('security.passkeys')
  return (
    <div className={styles.forms}>
      <form method="post" action="/account/security/passkeys/rename" className={styles.form}>
        <SessionToken />
        <input type="hidden" name="passkey" value={id} />
        <Field
          id={`name-${id}`}
          label={t('rename')}
          name="name"
          maxLength={60}
          defaultValue={name}
          autoComplete="off"
          problem={problem}
        />
        <Button type="submit" look="secondary" busyText={t('busy')}>
          {t('save')}
        </Button>
      </form>
      <form method="post" action="/account/security/passkeys/remove" className={`${styles.form} ${styles.removal}`}>
        <SessionToken />
        <input type="hidden" name="passkey" value={id} />
        <p>{t('removeWhat')}</p>
        <Button
          type="submit"
          look="danger"
          icon={<Icon name="trash" />}
          busyText={t('removing')}
          aria-describedby={`passkey-${id}`}
        >
          {t('remove')}
        </Button>
      </form>
    </div>
  )
}
