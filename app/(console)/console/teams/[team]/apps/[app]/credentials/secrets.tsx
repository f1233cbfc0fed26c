import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import rows from '#app/_ui/action-rows.module.css'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { mostLiveSecrets } from '#lib/apps/secret'
import type { TeamApp } from '#lib/console/app/store'
import { CredentialFacts, CredentialRow } from './credential-row.tsx'
import styles from './credentials.module.css'
import { Rotation } from './rotation.tsx'

/** The secrets with their last use. A rotation: add a second one, change the app, remove the first one. */
export function Secrets({ app, mayChange, now }: { app: TeamApp; mayChange: boolean; now: Date }) {
  const t = useTranslations('consoleApps.credentials')
  const hidden = { team: app.teamId, app: app.id }
  const isLive = ({ expiresAt }: TeamApp['secrets'][number]) => expiresAt === null || expiresAt > now
  const isFull = app.secrets.filter(isLive).length >= mostLiveSecrets
  return (
    <Card title={t('secrets')}>
      <p>{t('secretsWhat')}</p>
      <ul className={rows.rows}>
        {app.secrets.map((secret) => (
          <CredentialRow
            key={secret.id}
            id={`secret-${secret.id}`}
            name={secret.id}
            tag={!isLive(secret) && <Tag>{t('expired')}</Tag>}
            facts={<Facts secret={secret} isLive={isLive(secret)} />}
            removal={
              mayChange
                ? {
                    action: '/console/app/secret/remove',
                    values: { ...hidden, secret: secret.id },
                    what: t('removeSecretWhat'),
                  }
                : undefined
            }
          />
        ))}
      </ul>
      {mayChange && <Rotation kind="secret" credentials={app.secrets.filter(isLive)} now={now} />}
      {mayChange && isFull && <p className={styles.after}>{t('enough')}</p>}
      {mayChange && !isFull && (
        <div className={styles.after}>
          <Form action="/console/app/secret/add">
            <HiddenFields values={hidden} />
            <Actions>
              <Button type="submit" id="secret-add" look="secondary" busyText={t('adding')}>
                {t('addSecret')}
              </Button>
            </Actions>
          </Form>
        </div>
      )}
    </Card>
  )
}

function Facts({ secret, isLive }: { secret: TeamApp['secrets'][number]; isLive: boolean }) {
  const { expiresAt } = secret
  const t = useTranslations('consoleApps.credentials')
  return (
    <>
      <CredentialFacts credential={secret} />
      {isLive && expiresAt && <span>{t.rich('until', { time: () => <Day at={expiresAt} /> })}</span>}
    </>
  )
}
