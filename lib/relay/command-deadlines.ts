import type { SMTPServerSession } from 'smtp-server'

/** Timers for the next whole command of each connection; a byte now and then does not put one off. */
export function makeCommandDeadlines(expire: (session: SMTPServerSession) => void) {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = ({ id }: SMTPServerSession) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    /** The server has answered, and waits for so many milliseconds. */
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
    /** A command is in, or the connection is closed. */
    end,
  }
}
