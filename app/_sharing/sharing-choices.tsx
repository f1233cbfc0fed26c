import type { ReactNode } from 'react'
import type { Person } from '#lib/account/signed-in/session'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import type { ConsentQuestion } from '#lib/oauth/consent/consent'
import { ApiScopes } from './api-scopes.tsx'
import { EmailChoice } from './email-choice.tsx'
import { ScopeList } from './scope-list.tsx'

/** Every question about what an app gets: scopes with their values, scopes of APIs, and the e-mail address. */
export function SharingChoices(choices: SharingChoicesProps) {
  const {
    legend,
    help,
    question,
    client,
    apis,
    person,
    alias,
    issuer,
    offersRelay,
    tagged = false,
    nameField,
    problem,
  } = choices
  const { scopes } = question
  const asked = { help, scopes, tagged }
  return (
    <>
      <ScopeList
        legend={legend}
        team={client.teamName}
        person={person}
        issuer={issuer}
        nameField={nameField}
        {...asked}
      />
      <ApiScopes app={client.name} apis={apis} {...asked} />
      <EmailChoice
        question={question}
        client={client}
        person={person}
        alias={alias}
        offersRelay={offersRelay}
        tagged={tagged}
        problem={problem}
      />
    </>
  )
}

type SharingChoicesProps = {
  legend: ReactNode
  /** Says that optional scopes can be unticked. */
  help: ReactNode
  question: ConsentQuestion
  client: Client
  apis: readonly Api[]
  person: Person
  /** The existing relay address for this app. */
  alias: string | undefined
  issuer: string
  offersRelay: boolean
  /** Whether to mark new scopes. False when every listed scope is new, because the marks would say nothing. */
  tagged?: boolean
  /** A field for the name of a person who has none. */
  nameField?: ReactNode
  problem?: ReactNode
}
