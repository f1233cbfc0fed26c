import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { SharingChoices } from '#app/_sharing/sharing-choices.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { Person } from '#lib/account/signed-in/session'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { askedAbout, type ConsentQuestion } from '#lib/oauth/consent/consent'
import { Settled } from './settled.tsx'

/** The consent form, bound to the request and to the session. */
export function ConsentForm({
  sealed,
  session,
  question,
  client,
  apis,
  person,
  alias,
  issuer,
  offersRelay,
  nameField,
}: ConsentFormProps) {
  const t = useTranslations('consent')
  const app = client.name
  const { scopes, settled } = question
  // When all scopes are asked again, tags mark the new ones. When only new scopes are asked, earlier decisions are
  // listed separately.
  const tagged = settled.length === 0 && scopes.some(({ isNew }) => !isNew)
  return (
    <Form action="/consent/submit">
      <input type="hidden" name="request" value={sealed} />
      <input type="hidden" name="session" value={session} />
      <input type="hidden" name="asked" value={askedAbout(question, client)} />
      <SharingChoices
        legend={t(settled.length > 0 ? 'seesMore' : 'sees', { app })}
        help={t('optional')}
        question={question}
        client={client}
        apis={apis}
        person={person}
        alias={alias}
        issuer={issuer}
        offersRelay={offersRelay}
        tagged={tagged}
        nameField={nameField}
      />
      <Settled question={question} apis={apis} team={client.teamName} person={person} alias={alias} issuer={issuer} />
      <Assurance>{t('private', { app })}</Assurance>
      <Actions stacked inReach>
        <Button type="submit" id="consent-allow" wide busyText={t('busy')}>
          {t('allow')}
        </Button>
        <Button type="submit" id="consent-deny" name="action" value="cancel" formNoValidate look="secondary" wide>
          {t('deny')}
        </Button>
      </Actions>
    </Form>
  )
}

type ConsentFormProps = {
  sealed: string
  /** The public id of the session this page was made for. */
  session: string
  question: ConsentQuestion
  client: Client
  /** The APIs that the request names. */
  apis: readonly Api[]
  person: Person
  /** The existing relay address for this app. */
  alias: string | undefined
  issuer: string
  offersRelay: boolean
  nameField: ReactNode
}
