import { z } from 'zod'
import { fetchedUriProblem } from '#lib/apps/redirect-uri-rules'
import type { Acted, AppAuthor } from '#lib/console/acted'
import { type AppSubmission, answerAppForm } from '#lib/console/app/app-form'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import type { PageForm } from '#lib/http/form'
import { sealAuthorization } from '#lib/oauth/events/receiver-authorization'

/** The values of the form: the address, and the header Authorization that the receiver demands (RFC 8935 §3). */
export const receiverFields = z.object({
  receiver: z.string().trim(),
  header: z.enum(['keep', 'none', 'set']),
  /** Printable ASCII without spaces at the ends (RFC 9110 §5.5). */
  authorization: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/)
    .or(z.literal('')),
})
type ReceiverFields = z.infer<typeof receiverFields>

/** The forms that decide where the events of people go need a recent sign-in. */
const about = {
  form: 'events',
  section: 'events',
  action: 'events.change',
  fresh: true,
  keeps: (form: PageForm) => keptOf(form),
} as const

/** POST /console/app/events/receiver: registers the receiver, or changes it. */
export const answerReceiver = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const set = await setByForm(submission)
    return 'problems' in set ? { ...set, kept: keptOf(submission.form) } : set
  })

/** POST /console/app/events/remove */
export const answerReceiverRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, (submission) => removeReceiver(context, submission))

/** Returns what a member typed; the header value is a secret, which no cookie keeps. */
const keptOf = (form: PageForm) => ({
  receiver: form.get('receiver').slice(0, 2000),
  header: form.get('header').slice(0, 4),
})

async function setByForm({ context, form, ...by }: AppSubmission): Promise<Acted> {
  const [header, authorization] = [form.get('header'), form.get('authorization')]
  const receiver = form.get('receiver').slice(0, 2001)
  const read = receiverFields.safeParse({ receiver, header: header || 'none', authorization })
  if (read.success) return setReceiver(context, by, read.data)
  const wrong = new Set(read.error.issues.map(({ path }) => String(path[0])))
  return {
    problems: [...wrong].map((field) => ({ field, code: `receiver_${field}` })),
  }
}

/**
 * Registers or changes the receiver. The stored header value is never sent to another address: a member who may change the
 * address cannot read the value that another member has entered.
 */
export async function setReceiver(
  context: ConsoleContext,
  by: AppAuthor,
  { receiver: address, header, authorization }: ReceiverFields,
): Promise<Acted> {
  const rule = fetchedUriProblem(address, context.config.evaluation)
  if (rule) return { problems: [{ field: 'receiver', code: 'rule', text: rule }] }
  if (header === 'set' && authorization === '')
    return { problems: [{ field: 'authorization', code: 'receiver_authorization' }] }
  const sealed = header === 'set' ? sealAuthorization(context, by.app.id, authorization) : ''
  const receiver = { teamId: by.team.id, appId: by.app.id, address }
  const set = await context.eventReceivers.set(
    { ...receiver, sealedAuthorization: header === 'keep' ? undefined : sealed },
    actOf({ context, ...by }, 'receiver_registered'),
  )
  if (set === 'unknown app') return { problems: [{ code: 'app_unknown' }] }
  if (set === 'secret needed') return { problems: [{ field: 'authorization', code: 'receiver_secret_needed' }] }
  return { done: `receiver_${set}` }
}

/** Removes the receiver with its events. */
export async function removeReceiver(context: ConsoleContext, by: AppAuthor): Promise<Acted> {
  // A double submit removes nothing the second time, and shows the same result.
  await context.eventReceivers.remove(by.app.id, actOf({ context, ...by }, 'receiver_removed'))
  return { done: 'receiver_removed' }
}
