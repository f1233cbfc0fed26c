import type { getTranslations } from 'next-intl/server'
import { type Problem, problemKinds } from '#lib/http/problem-page'

type Translate = Awaited<ReturnType<typeof getTranslations<'error'>>>

/** Returns the texts of a problem; an unknown kind has the general text. */
export function problemWords(t: Translate, problem: Problem | undefined, service: string) {
  const names = { service, app: problem?.app ?? t('someApp') }
  const kind = problemKinds.find((one) => one === problem?.kind)
  const words = kind ? (`kinds.${kind}.` as const) : ''
  const developer = `kinds.${kind}.developer` as const
  return {
    title: t(`${words}title`, names),
    what: t(`${words}what`, names),
    next: t(`${words}next`, names),
    developer: t.has(developer as never) ? t(developer as 'kinds.bad_request.developer', names) : undefined,
    back: t('back', names),
    // The person came to sign out, and still can.
    signOut: kind?.startsWith('bad_logout') ? t('signOut') : undefined,
  }
}
