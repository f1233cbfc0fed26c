// Floods the sign-in endpoint: the first message (SignInFlood) starts the flood, the second stops it, and the process
// replies with the counts.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `atOnce` is the number of concurrent sign-ins. `first` separates the client networks of one flood from those of
 * another.
 */
export type SignInFlood = { port: number; atOnce: number; first: number }

export type FloodResult = { verified: number; refused: number; seconds: number }

const result: FloodResult = { verified: 0, refused: 0, seconds: 0 }
const agent = new Agent({ keepAlive: true })
let sent = 0

process.once('disconnect', () => process.exit())
process.once('message', (flood: SignInFlood) => {
  const began = performance.now()
  for (let one = 0; one < flood.atOnce; one++)
    void signInAgain(flood).catch((fault: Error) => process.send?.({ fault: fault.message }))
  process.once('message', () => process.send?.({ ...result, seconds: (performance.now() - began) / 1000 }))
  // By then all concurrent sign-ins are underway.
  setTimeout(() => process.send?.({}), 500)
})

/** Repeats sign-ins forever. Obeys Retry-After; without it, repeats immediately. */
async function signInAgain(flood: SignInFlood): Promise<never> {
  for (;;) {
    const { status, retryAfter } = await signIn(flood)
    if (status === 303) result.verified++
    else if (status === 503) result.refused++
    else throw new Error(`A sign-in got the status ${status}.`)
    await sleep(retryAfter * 1000)
  }
}

function signIn({ port, first }: SignInFlood): Promise<{ status: number | undefined; retryAfter: number }> {
  const number = sent++
  const body = `to=%2Faccount&username=nobody-${first}-${number}&password=a+password+of+nobody`
  const headers = {
    host: `localhost:${port}`,
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': `${10 + first}.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, host: '127.0.0.1', port, path: '/signin/submit', method: 'POST', headers },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          resolve({ status: answer.statusCode, retryAfter: Number(answer.headers['retry-after'] ?? 0) }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
