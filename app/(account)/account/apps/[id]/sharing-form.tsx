import { useTranslations } from 'next-intl'
import { SharingChoices } from '#app/_sharing/sharing-choices.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import styles from '#app/(account)/account/apps/apps.module.css'
import type { Connection } from '#lib/account/connected-apps/connection'
import type { Person } from '#lib/account/signed-in/session'
import type { Flash } from '#lib/http/flash'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { askingAgain, consentMark, consentQuestion } from '#lib/oauth/consent/consent'

/** Asks again about every scope that was decided for this app, as the consent page does. */
export function SharingForm({
  connection,
  client,
  apis,
  person,
  alias,
  issuer,
  offersRelay,
  problems,
}: SharingFormProps) {
  const t = useTranslations('connections')
  const app = client.name
  const question = consentQuestion(askingAgain(client, connection.consent, apis), connection.consent)
  const optional = question.email !== 'none' || question.scopes.some(({ required }) => !required)
  const unbound = problems.some(({ field }) => field === 'email_choice')
  return (
    <Card>
      <Form action="/account/sharing/change">
        <input type="hidden" name="app" value={client.id} />
        <input type="hidden" name="shown" value={consentMark(connection.consent)} />
        <SharingChoices
          legend={t('maySee', { app })}
          help={t('untick')}
          question={question}
          client={client}
          apis={apis}
          person={person}
          alias={alias}
          issuer={issuer}
          offersRelay={offersRelay}
          problem={unbound ? <NoAddress /> : undefined}
        />
        {optional && (
          <>
            <p className={styles.note}>{t('when', { app })}</p>
            <Actions>
              <Button type="submit" id="sharing-save" busyText={t('saving')}>
                {t('save')}
              </Button>
            </Actions>
          </>
        )}
      </Form>
    </Card>
  )
}

/** Says that the account has no address to share, and leads to the page that adds one. */
function NoAddress() {
  const t = useTranslations('connections.problems')
  return (
    <>
      {t('unbound')}
      <SentenceSpace />
      <a href="/account/email/change">{t('addEmail')}</a>
    </>
  )
}

type SharingFormProps = {
  connection: Connection
  client: Client
  /** The APIs of the app's team. */
  apis: readonly Api[]
  person: Person
  alias: string | undefined
  issuer: string
  offersRelay: boolean
  problems: Flash['problems']
}
