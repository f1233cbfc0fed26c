/** The addresses and accounts of an evaluation that are printed when it starts. */
export type Welcome = {
  demoUrl: string
  accountUrl: string
  person: { username: string; password: string }
  /** Whether letters stay in the built-in mailbox. */
  hasInbox: boolean
  stop: string
}

/** Returns a box for the person who started an evaluation: addresses, sign-in, inbox, and how to stop. */
export function welcome({ demoUrl, accountUrl, person, hasInbox, stop }: Welcome): string {
  const rows = [
    ['Demo app', demoUrl],
    ['Username', person.username],
    ['Password', `"${person.password}"`],
    ...(hasInbox ? [['Inbox', `${accountUrl}/dev/inbox`]] : []),
    ['Account', `${accountUrl}/account`],
    ['Stop', stop],
  ]
  const lines = [
    'Postern is running, for evaluation on this machine.',
    '',
    ...rows.map(([name = '', value]) => `${name.padEnd(10)}${value}`),
  ]
  const width = Math.max(...lines.map((line) => line.length))
  const edge = '─'.repeat(width + 4)
  return [`┌${edge}┐`, ...lines.map((line) => `│  ${line.padEnd(width)}  │`), `└${edge}┘`].join('\n')
}
