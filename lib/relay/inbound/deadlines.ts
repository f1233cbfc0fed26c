import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'

export type ProgressLimits = { period: number; bytes: number; periods: number }

/**
 * In each minute a message brings so much, and in half an hour it is in: 15 KB a second bring the largest. Who sends a byte
 * now and then would keep a message open, and its place, for as long as that.
 */
export const progressLimits: ProgressLimits = { period: 60_000, bytes: 16 * 1024, periods: 30 }

/** Calls `giveUp` once when a message is too slow; how long it takes us to read what has come in does not count. */
export function watchProgress(
  stream: Pick<SMTPServerDataStream, 'byteLength' | 'writableEnded' | 'destroyed'>,
  giveUp: () => void,
  limits = progressLimits,
): void {
  let [before, left] = [0, limits.periods]
  const timer = setInterval(() => {
    const brought = stream.byteLength - before
    before = stream.byteLength
    left -= 1
    const isOver = stream.writableEnded || stream.destroyed
    if (!isOver && left > 0 && brought >= limits.bytes) return
    clearInterval(timer)
    if (!isOver) giveUp()
  }, limits.period).unref()
}

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
