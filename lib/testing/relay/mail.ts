import type { Arrived } from '#lib/mail/post'
import type { Context } from '#lib/server/compose/context'

/** Waits until no e-mail is underway. Returns the e-mails to an address, latest first. */
export async function lettersTo({ letters, mailbox }: Context, address: string): Promise<Arrived[]> {
  await letters.settled()
  return (mailbox?.list() ?? []).filter(({ to }) => to.includes(address))
}

/**
 * Returns the latest code that was sent to an address. Skips e-mails without a code: an earlier notification can arrive
 * after the code, because each letter may travel on a connection of its own.
 */
export async function codeSentTo(context: Context, address: string): Promise<string> {
  const codes = (await lettersTo(context, address)).map(({ text }) => /^ {4}(\d{6})$/m.exec(text)?.[1])
  const latest = codes.find((code) => code !== undefined)
  if (!latest) throw new Error('No letter with a code has arrived there.')
  return latest
}
