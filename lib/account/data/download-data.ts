import { answerAction } from '#lib/account/account-form'
import { note } from '#lib/account/tell-owner'
import type { Context } from '#lib/server/compose/context'
import { personalDataFile } from './personal-data.ts'

/** POST /account/data/download: everything stored about the person, as a file, after a fresh sign-in. */
export const answerDownload = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'download', page: '/account/data', fresh: true }, async (act) => {
    const [now, { person }] = [context.now(), act]
    await note(act, 'data_downloaded')
    const service = context.config.serviceName
    const file = personalDataFile(await context.personalData.read(person.id), { service, now })
    return { answer: attachment(`${person.username}-${now.toISOString().slice(0, 10)}.json`, file) }
  })

/** Usernames hold nothing that a file name may not. */
const attachment = (name: string, text: string) =>
  new Response(text, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
