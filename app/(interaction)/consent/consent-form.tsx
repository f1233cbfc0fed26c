import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { Assurance } from '#app/_ui/assurance.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { Person } from '#lib/account/session'
import type { ConsentQuestion } from '#lib/oauth/authorize/consent'
import type { Client } from '#lib/oauth/client'
import { EmailChoice } from './email-choice.tsx'
import { ScopeList } from './scope-list.tsx'

/** The decision, bound to the request and to the session it was shown to. */
export function ConsentForm({ sealed, session, question, client, person, issuer }: ConsentFormProps) {
  const t = useTranslations('consent')
  return (
    <Form action="/consent/submit">
      <input type="hidden" name="request" value={sealed} />
      <input type="hidden" name="session" value={session} />
      <ScopeList question={question} client={client} person={person} issuer={issuer} />
      <EmailChoice question={question} app={client.name} email={person.email} />
      <Assurance>{t('private', { app: client.name })}</Assurance>
      <Actions stacked>
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
  person: Person
  issuer: string
}
