import { smtpOptions } from '#lib/text/smtp-options'
import { HopConnection } from './hop-connection.ts'

/** Milliseconds: until the server has greeted (and TLS stands), for each answer, and how long an unused connection is kept. */
export type HopTimes = { connecting: number; command: number; whole: number; idle: number }

/**
 * Opens a connection, encrypted where the server offers it and logged in where SMTP_URL has a password, which requires
 * TLS. The URL is read as it is for letters of our own, with the same options in its query.
 */
export async function connectToHop(smtpUrl: string, times: HopTimes, signal: AbortSignal): Promise<HopConnection> {
  const { auth, ...options } = smtpOptions(smtpUrl)
  const connection = new HopConnection({
    ...options,
    connectionTimeout: times.connecting,
    greetingTimeout: times.connecting,
    dnsTimeout: times.connecting,
    socketTimeout: times.command,
    // Ended politely or not at all: what is still unsent when we give up must not arrive afterwards.
    socketCloseTimeout: 0,
    logger: false,
  })
  connection.limitAnswers(times.command)
  try {
    await connection.during<void>(signal, (done) => connection.connect(done))
    if (auth && connection.allowsAuth) {
      await connection.during<boolean>(signal, (done) => connection.login({ ...auth }, done))
    }
    connection.limitAnswers(0)
    return connection
  } catch (fault) {
    connection.close()
    throw fault
  }
}
