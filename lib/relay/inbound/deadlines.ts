import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'

export type ProgressLimits = { period: number; bytes: number; periods: number }

/**
 * A client must send 16 KiB in each minute and the whole message within half an hour, which takes 15 KB/s for the
 * largest message. Without these limits, a client that sends a byte now and then would hold its slot indefinitely.
 */
export const progressLimits: ProgressLimits = { period: 60_000, bytes: 16 * 1024, periods: 30 }

/**
 * Calls `giveUp` once when a message is too slow. The time that the relay takes to read received bytes does not
 * count.
 */
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

/** Returns deadlines for the next whole command of each connection; single bytes do not extend them. */
export function makeCommandDeadlines(expire: (session: SMTPServerSession) => void) {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = ({ id }: SMTPServerSession) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    /** Starts the deadline for the next command and replaces a running one. */
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
    /** Ends the deadline: the command arrived or the connection closed. */
    end,
  }
}
