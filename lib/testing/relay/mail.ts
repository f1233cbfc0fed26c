import type { Arrived } from '#lib/mail/post'
import type { Context } from '#lib/server/compose/context'

/** Waits until no e-mail is underway. Returns the e-mails to an address, latest first. */
export async function lettersTo({ letters, mailbox }: Context, address: string): Promise<Arrived[]> {
  await letters.settled()
  return (mailbox?.list() ?? []).filter(({ to }) => to.includes(address))
}

/** Returns the code in the latest e-mail to an address. */
export async function codeSentTo(context: Context, address: string): Promise<string> {
  const [latest] = await lettersTo(context, address)
  const code = /^ {4}(\d{6})$/m.exec(latest?.text ?? '')?.[1]
  if (!code) throw new Error('No letter with a code has arrived there.')
  return code
}
