import { avatarLimits, type Crop, makeAvatar } from '#lib/account/avatar'
import { pictureName } from '#lib/account/picture-name'
import type { Context } from '#lib/context'
import type { PageForm } from '#lib/journey/form'
import { type Act, answerAction, answerRead, type Outcome } from './action.ts'
import { note } from './tell-owner.ts'
import { readUpload, type UploadForm } from './upload.ts'

const about = { form: 'picture', page: '/account' }

/** The largest picture, and room for what stands around it in the form. */
export const pictureBodyLimit = avatarLimits.bytes + 64 * 1024

/** POST /account/picture/submit: a new avatar (spec §2.7, picture rules). */
export const answerPictureUpload = async (context: Context, request: Request): Promise<Response> =>
  answerRead(context, request, about, await readUpload(request), savePicture)

/** POST /account/picture/remove: none any more; the old address stops working. */
export const answerPictureRemoval = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, about, async (act) => {
    if (!(await context.profiles.setPicture(act.person.id, undefined, context.now()))) return { done: 'unchanged' }
    await note(act, 'picture_changed', { how: 'removed' })
    return { done: 'removed' }
  })

async function savePicture(act: Act<UploadForm>): Promise<Outcome> {
  const { context, form, person } = act
  const made = await makeAvatar(await form.file('picture'), readCrop(form))
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
