import { answerAccountForm } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { type PersonalDataStore, personalDataFile } from './personal-data.ts'

type DownloadContext = AccountContext & { personalData: PersonalDataStore }

/** POST /account/data/download: returns everything stored about the person as a file; requires a recent sign-in. */
export const answerDownload = (context: DownloadContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'download', page: '/account/data', fresh: true, isDownload: true },
    async (submission) => {
      const [now, { person }] = [context.now(), submission]
      await noteActivity(submission, 'data_downloaded')
      const service = context.config.serviceName
      const file = personalDataFile(await context.personalData.read(person.id), { service, now })
      return { answer: attachment(`${person.username}-${now.toISOString().slice(0, 10)}.json`, file) }
    },
  )

/** The name needs no quoting: usernames contain only characters that are valid in file names. */
const attachment = (name: string, text: string) =>
  new Response(text, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
