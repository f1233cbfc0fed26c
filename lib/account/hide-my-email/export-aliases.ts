import { answerAccountForm } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { aliasState } from './alias-state.ts'
import { csvFile } from './csv.ts'
import type { OwnAliasStore } from './store.ts'

type ExportContext = AccountContext & {
  hideMyEmail: Pick<OwnAliasStore, 'listAliases'>
}

/** POST /account/hide-my-email/export: returns the relay addresses as a CSV file; requires a recent sign-in. */
export const answerAliasExport = (
  context: ExportContext,
  request: Request,
  addressOf: (name: string) => string,
): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'download', page: '/account/data', fresh: true, isDownload: true },
    async (submission) => {
      const { person } = submission
      const aliases = await context.hideMyEmail.listAliases(person.id)
      await noteActivity(submission, 'data_downloaded')
      const rows = aliases.map((alias) => [
        addressOf(alias.name),
        alias.label,
        alias.app?.name ?? '',
        alias.app?.team ?? '',
        aliasState(alias, person).kind,
        alias.since.toISOString(),
        String(alias.forwarded),
        String(alias.blocked),
        String(alias.replied),
        alias.lastMailAt?.toISOString() ?? '',
        alias.note,
        String(alias.byHand),
      ])
      const name = `${person.username}-relay-addresses-${context.now().toISOString().slice(0, 10)}.csv`
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      }
      return { answer: new Response(csvFile([columns, ...rows]), { headers }) }
    },
  )

/** The columns have the names of the JSON download. */
const columns = [
  'address',
  'label',
  'app',
  'team',
  'state',
  'createdAt',
  'forwarded',
  'blocked',
  'replied',
  'lastMailAt',
  'note',
  'byHand',
]
