import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import rows from '#app/_ui/action-rows.module.css'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import { problemOf, useAppProblems } from '#app/(console)/console/app-problems.tsx'
import { KeyAddressField, KeyField, MakeKey } from '#app/(console)/console/key-fields.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { Flash } from '#lib/http/flash'
import { CredentialFacts, CredentialRow } from './credential-row.tsx'
import styles from './credentials.module.css'
import { Rotation } from './rotation.tsx'

/** The registered public keys, and the address at which the app publishes keys. */
export function Keys({ app, mayChange, now }: { app: TeamApp; mayChange: boolean; now: Date }) {
  const t = useTranslations('consoleApps.credentials')
  const address = addressOf(app)
  const isNeeded = app.kind === 'assertion' && app.keys.length === 1 && address === ''
  return (
    <Card title={t('keys')}>
      <p>{t(app.kind === 'assertion' ? 'keysWhat' : 'keysWhatOptional')}</p>
      {address !== '' && <p>{t.rich('keysAt', { address: () => <code translate="no">{address}</code> })}</p>}
      {app.keys.length > 0 && (
        <ul className={rows.rows}>
          {app.keys.map((key, index) => (
            <CredentialRow
              key={key.kid}
              // A kid may contain spaces, which an id cannot.
              id={`key-${index + 1}`}
              name={key.kid}
              facts={<CredentialFacts credential={key} />}
              removal={
                mayChange && !isNeeded
                  ? {
                      action: '/console/app/key/remove',
                      values: { team: app.teamId, app: app.id, kid: key.kid },
                      what: t('removeKeyWhat'),
                    }
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      {isNeeded && <p className={styles.after}>{t('lastKey')}</p>}
      {mayChange && app.keys.length > 0 && <Rotation kind="key" credentials={app.keys} now={now} />}
    </Card>
  )
}

/** Forms that add keys, and that change the address at which the app publishes them. */
export function KeyForms({ app, flash }: { app: TeamApp; flash: Flash }) {
  const t = useTranslations('consoleApps.credentials')
  const problems = useAppProblems(flash.problems, ['key', 'jwks_uri'])
  const hidden = { team: app.teamId, app: app.id }
  const kept = flash.done ? {} : flash.kept
  return (
    <Card title={t('addKeys')}>
      <Form action="/console/app/key/add">
        <ProblemSummary problems={problems} />
        <HiddenFields values={hidden} />
        <KeyField value={kept.key} problem={problemOf(problems, 'key')} />
        <MakeKey />
        <Actions>
          <Button type="submit" id="key-add" look="secondary" busyText={t('adding')}>
            {t('addKey')}
          </Button>
        </Actions>
      </Form>
      <Form action="/console/app/key/address">
        <HiddenFields values={hidden} />
        <KeyAddressField value={kept.jwks_uri || addressOf(app)} problem={problemOf(problems, 'jwks_uri')} />
        <Actions>
          <Button type="submit" id="key-address" look="secondary" busyText={t('saving')}>
            {t('saveAddress')}
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

const addressOf = (app: TeamApp): string => (app.declaration.jwks_uri as string | undefined) ?? ''
