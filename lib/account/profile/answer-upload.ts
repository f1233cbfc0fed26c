import { answerParsedForm, findUploader, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { goAndSay } from '#lib/http/flash'
import { currentRequest } from '#lib/queue/current-request'
import { makeFairQueue } from '#lib/queue/fair-queue'
import { avatarLimits } from './avatar.ts'
import { readUpload, type UploadForm } from './upload.ts'

/** The largest body of an upload: the largest picture, and room for the other parts of the form. */
export const pictureBodyLimit = avatarLimits.bytes + 64 * 1024

/** Reads one upload of a person at a time; the bodies of the person's other uploads wait unread. */
const uploads = makeFairQueue({ atOnce: 32, perKey: 1, waiting: 64, patience: 5000 })

/** Answers a form with a picture. Checks origin, session and declared length before it reads the body. */
export async function answerUpload<C extends AccountContext>(
  context: C,
  request: Request,
  about: { form: string; page: string },
  run: (submission: Submission<C, UploadForm>) => Promise<Outcome>,
): Promise<Response> {
  const current = await findUploader(context, request, about.page)
  if (current instanceof Response) return current
  const problems = [{ field: 'picture', code: 'picture_large' }]
  const sayTooLarge = () => goAndSay(context, request, about.page, { form: about.form, problems, kept: {} })
  if (Number(request.headers.get('content-length')) > pictureBodyLimit) return sayTooLarge()
  const upload = async () => {
    const form = await readUpload(request, avatarLimits.bytes)
    return form === 'too_large' ? sayTooLarge() : answerParsedForm(context, request, about, form, run)
  }
  return inUploadTurn(current.person.id, upload)
}

/** Runs the upload of a person after the earlier ones of the same person. */
export const inUploadTurn = <T>(personId: string, run: () => Promise<T>): Promise<T> =>
  uploads(personId, run, currentRequest()?.abandoned())
