import { type Act, answerAction, answerRead, findUploader, type Outcome } from '#lib/account/account-form'
import { note } from '#lib/account/tell-owner'
import { goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { currentRequest } from '#lib/queue/current-request'
import { makeFairQueue } from '#lib/queue/fair-queue'
import type { Context } from '#lib/server/compose/context'
import { avatarLimits, type Crop, makeAvatar } from './avatar.ts'
import { pictureName } from './picture-name.ts'
import { readUpload, type UploadForm } from './upload.ts'

const about = { form: 'picture', page: '/account' }

/** The largest picture, and room for what stands around it in the form. */
export const pictureBodyLimit = avatarLimits.bytes + 64 * 1024

/** A person uploads one picture at a time; a body that waits stays with its sender. */
const inTurn = makeFairQueue({ atOnce: 32, perKey: 1, waiting: 64, patience: 5000 })

/**
 * POST /account/picture/submit: a new avatar (spec §2.7, picture rules). Not a byte of the body is read before its origin,
 * the session and its declared length are right.
 */
export async function answerPictureUpload(context: Context, request: Request): Promise<Response> {
  const current = await findUploader(context, request, about.page)
  if (current instanceof Response) return current
  if (Number(request.headers.get('content-length')) > pictureBodyLimit) return sayTooLarge(context, request)
  const upload = async () => {
    const form = await readUpload(request, avatarLimits.bytes)
    return form === 'too_large' ? sayTooLarge(context, request) : answerRead(context, request, about, form, savePicture)
  }
  return inTurn(current.person.id, upload, currentRequest()?.abandoned())
}

const sayTooLarge = (context: Context, request: Request) =>
  goAndSay(context, request, about.page, {
    form: about.form,
    problems: [{ field: 'picture', code: 'picture_large' }],
    kept: {},
  })

/** POST /account/picture/remove: none any more; the old address stops working. */
export const answerPictureRemoval = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, about, async (act) => {
    if (!(await context.profiles.setPicture(act.person.id, undefined, context.now()))) return { done: 'unchanged' }
    await note(act, 'picture_changed', { how: 'removed' })
    return { done: 'removed' }
  })

async function savePicture(act: Act<UploadForm>): Promise<Outcome> {
  const { context, form, person } = act
  const made = await makeAvatar(form.file('picture'), readCrop(form), person.id)
  if ('problem' in made) return { problems: [{ field: 'picture', code: made.problem }] }
  const picture = { file: pictureName('webp', context.random), mediaType: 'image/webp', bytes: made.bytes }
  await context.profiles.setPicture(person.id, picture, context.now())
  await note(act, 'picture_changed', { how: 'saved' })
  return { done: 'saved' }
}

/** What our script chose; without it the middle is taken. */
function readCrop(form: PageForm): Crop | undefined {
  const [x, y, size] = ['x', 'y', 'size'].map((name) => {
    const text = form.get(name)
    return /^\d{1,5}$/.test(text) ? Number(text) : undefined
  })
  return x === undefined || y === undefined || size === undefined ? undefined : { x, y, size }
}
