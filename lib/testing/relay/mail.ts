import type { Arrived } from '#lib/mail/mailbox'
import type { Context } from '#lib/server/compose/context'

/** What arrived in the mailbox of the test, the latest first, once nothing is on its way any more. */
export async function lettersTo({ letters, mailbox }: Context, address: string): Promise<Arrived[]> {
  await letters.settled()
  return (mailbox?.list() ?? []).filter(({ to }) => to.includes(address))
}

/** The code in the latest letter to an address. */
export async function codeSentTo(context: Context, address: string): Promise<string> {
  const [latest] = await lettersTo(context, address)
  const code = /^ {4}(\d{6})$/m.exec(latest?.text ?? '')?.[1]
  if (!code) throw new Error('No letter with a code has arrived there.')
  return code
}
