import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A received message. `saysUtf8` is true if MAIL FROM requested SMTPUTF8. */
export type Arrived = { saysUtf8: boolean; from: string; to: string[]; raw: Buffer }

/**
 * A mail server that records messages and can reject the next ones. Replies to a complete message once `think` resolves.
 */
export async function startMailServer({ think = async () => undefined as unknown } = {}) {
  const arrived: Arrived[] = []
  let refusal: { code: number; text: string } | undefined
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onData(stream, session, done) {
      buffer(stream).then(async (raw) => {
        await think()
        if (refusal) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
        const { mailFrom, rcptTo } = session.envelope
        arrived.push({
          saysUtf8: 'SMTPUTF8' in ((mailFrom || { args: false }).args || {}),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
        })
        return done()
      }, done)
    },
  })
  server.on('error', () => undefined)
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port))
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    arrived,
    /** Rejects every later message with this code; without a code, accepts messages again. */
    refuse(code?: number, text = 'no, ada@example.org') {
      refusal = code === undefined ? undefined : { code, text }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
