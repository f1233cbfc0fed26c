import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import type { PageForm } from '#lib/http/form'
import { answerUpload } from './answer-upload.ts'
import { type Crop, makeAvatar, pictureName } from './avatar.ts'
import type { ProfileStore } from './profile.ts'
import type { UploadForm } from './upload.ts'

type PictureContext = AccountContext & { profiles: ProfileStore }

const about = { form: 'picture', page: '/account/profile' }

/**
 * POST /account/picture/submit: stores a new avatar (spec §2.7, picture rules). Checks origin, session and declared length
 * before it reads the body.
 */
export const answerPictureUpload = (context: PictureContext, request: Request): Promise<Response> =>
  answerUpload(context, request, about, savePicture)

/** POST /account/picture/remove: removes the avatar; its address returns 404 from then on. */
export const answerPictureRemoval = (context: PictureContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (submission) => {
    const { person } = submission
    if (!(await context.profiles.setPicture(person.id, undefined, context.now()))) return { done: 'unchanged' }
    await noteActivity(submission, 'picture_changed', { how: 'removed' })
    return { done: 'removed' }
  })

async function savePicture(submission: Submission<PictureContext, UploadForm>): Promise<Outcome> {
  const { context, form, person } = submission
  const made = await makeAvatar(form.file('picture'), readCrop(form), person.id)
  if ('problem' in made) return { problems: [{ field: 'picture', code: made.problem }] }
  const picture = { file: pictureName('webp', context.random), mediaType: 'image/webp', bytes: made.bytes }
  await context.profiles.setPicture(person.id, picture, context.now())
  await noteActivity(submission, 'picture_changed', { how: 'saved' })
  return { done: person.avatarFile === undefined ? 'saved' : 'replaced' }
}

/**
 * Reads the square that the page's script chose. Without a script, returns undefined; the avatar is then the centre
 * of the picture.
 */
function readCrop(form: PageForm): Crop | undefined {
  const [x, y, size] = ['x', 'y', 'size'].map((name) => {
    const text = form.get(name)
    return /^\d{1,5}$/.test(text) ? Number(text) : undefined
  })
  return x === undefined || y === undefined || size === undefined ? undefined : { x, y, size }
}
