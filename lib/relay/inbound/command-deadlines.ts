import type { SMTPServerSession } from 'smtp-server'

/** Returns timers for the next whole command of each connection; single bytes do not extend them. */
export function makeCommandDeadlines(expire: (session: SMTPServerSession) => void) {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = ({ id }: SMTPServerSession) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    /** Starts the time for the next command, in place of any that runs. */
    begin(session: SMTPServerSession, milliseconds: number): void {
      end(session)
      timers.set(
        session.id,
        setTimeout(() => {
          timers.delete(session.id)
          expire(session)
        }, milliseconds).unref(),
      )
    },
    /** Stops it: the command is in, or the connection is closed. */
    end,
  }
}
