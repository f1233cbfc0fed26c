import type { Call } from '#lib/cli/command'
import type { Prisma } from '#lib/db/engine/client'
import { ownerLookups } from '#lib/db/sign-in/sign-in-store'
import type { Letters } from '#lib/mail/letters'
import { openPost } from '#lib/mail/post'
import { composeLetters } from '#lib/server/compose/mail'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import type { Config } from '#lib/server/settings/config'

/**
 * Sends a letter about a completed change through SMTP_URL. A failure is only printed, because the change is
 * complete.
 */
export async function sendLetter(
  { say }: Pick<Call, 'say'>,
  { config, prisma }: { config: Config; prisma: Prisma },
  to: string | undefined,
  write: (letters: Letters) => Promise<boolean>,
): Promise<void> {
  if (to === undefined) return say('No letter was sent: no e-mail address is bound to the account.')
  // The mailbox of an evaluation is in the memory of the server, where a command cannot reach it.
  if (!config.smtpUrl) return say('No letter was sent: SMTP_URL is not set.')
  const post = openPost(config.smtpUrl, config)
  try {
    const base = { config, log: makeLog('silent'), metrics: makeMetrics() }
    const sent = await write(composeLetters(base, post, ownerLookups(prisma)))
    if (!sent) say('The letter to the person could not be sent.')
  } finally {
    post.close()
  }
}
