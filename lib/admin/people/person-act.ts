import type { Outcome } from '#lib/account/account-form'
import type { Recorded } from '#lib/account/activity/recorded'
import { graceDays } from '#lib/account/data/deletion'
import { type AdminSubmission, answerAdminForm, reasonIn, recordedBy } from '#lib/admin/admin-form'
import type { AdminContext } from '#lib/admin/context'
import { personPage } from '#lib/admin/paths'
import type { PageForm } from '#lib/http/form'
import { throttleKeysOf } from '#lib/sign-in/throttle/keys-of-person'
import { askReset } from './factor-reset.ts'
import { type PersonAct, type PersonChange, type PersonView, personActs } from './store.ts'

/** POST /admin/person/act: an operator disables an account, signs its owner out, and so on. */
export const answerPersonAct = (context: AdminContext, request: Request): Promise<Response> =>
  answerAdminForm(
    context,
    request,
    { form: 'person', page: (form) => personPage(personIn(form)), keeps: { act: 'act', reason: 'reason' } },
    async (submission) => {
      const { form, person } = submission
      const act = personActs.find((one) => one === form.get('act'))
      const reason = reasonIn(form)
      const kept = { act: act ?? '', reason }
      if (!act) return { problems: [{ code: 'act_unknown' }] }
      // An operator's own account is managed on the account pages, where nothing can be done by mistake to an operator.
      if (personIn(form) === person.id) return { problems: [{ code: 'own_account' }], kept }
      if (reason === '') return { problems: [{ field: `reason-${act}`, code: 'reason_missing' }], kept }
      return outcomeOf(await actOnPerson(submission, act, personIn(form), recordedBy(submission, reason)), act, kept)
    },
  )

const personIn = (form: PageForm): string => form.get('person').slice(0, 64)

function outcomeOf(change: PersonChange, act: PersonAct, kept: Record<string, string>): Outcome {
  switch (change) {
    // A double submit shows the same result.
    case 'changed':
    case 'same':
      return { done: act }
    // The page of a person who does not exist answers 404.
    case 'unknown':
      return { problems: [] }
    default:
      return { problems: [{ code: change }], kept }
  }
}

/** Does one act to a person, apart from reading the form. */
async function actOnPerson(
  { context, person: operator }: AdminSubmission,
  act: PersonAct,
  personId: string,
  recorded: Recorded,
): Promise<PersonChange> {
  const { operatorPeople, factorResets } = context
  const person = await operatorPeople.look(personId, recorded.at, operator.username)
  if (!person) return 'unknown'
  switch (act) {
    case 'disable':
    case 'enable':
      return operatorPeople.setDisabled(personId, act === 'disable', recorded)
    case 'sign_out':
      return operatorPeople.signOut(personId, recorded)
    case 'unlock':
      return operatorPeople.unlock(personId, keysOf(person), recorded)
    case 'reset_factors':
      return askReset(context, person, recorded)
    case 'cancel_reset':
      return factorResets.cancel(personId, recorded)
    case 'delete':
      return askDeletion(context, person, recorded)
    case 'keep':
      return keep(context, person, recorded)
  }
}

const keysOf = ({ id: personId, username, email }: PersonView) =>
  throttleKeysOf({ personId, username, email: email ?? undefined })

async function askDeletion({ operatorPeople, letters }: AdminContext, person: PersonView, recorded: Recorded) {
  const until = new Date(recorded.at.getTime() + graceDays * 86_400_000)
  const change = await operatorPeople.askDeletion(person.id, until, recorded)
  if (change === 'changed') void letters.deletionByOperator({ ...ownerOf(person), until })
  return change
}

async function keep({ operatorPeople, letters }: AdminContext, person: PersonView, recorded: Recorded) {
  const change = await operatorPeople.keep(person.id, recorded)
  if (change === 'changed') void letters.deletionUndone(ownerOf(person))
  return change
}

const ownerOf = ({ email, username, locale }: PersonView) => ({ to: email ?? undefined, username, locale })
