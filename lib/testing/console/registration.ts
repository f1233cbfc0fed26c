import {
  answerRegistrationDeletion,
  answerRegistrationRead,
  answerRegistrationUpdate,
} from '#lib/console/registration/manage'
import { answerRegister } from '#lib/console/registration/register'
import { answerRegistrationTokenMaking } from '#lib/console/tokens/registration-token'
import type { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'

type Account = Awaited<ReturnType<typeof openAccount>>
type Answered = { status: number; headers: Headers; body: Record<string, unknown> }

/** Returns functions that make initial access tokens and send requests of dynamic registration. */
export function openRegistration(postern: Postern) {
  /** Makes an initial access token by the form of the console. */
  const makeInitial = async (account: Account, team = 'acme', fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ team, name: 'Robot', profile: 'oidc', count: '5', days: '7', ...fields })
    const flash = await account.flashOf(await account.post(answerRegistrationTokenMaking, body), 'registration-token')
    return flash?.kept.token ?? flash?.problems.map(({ code }) => code).join(' ') ?? ''
  }
  /** Answers a request as the front door does. */
  const handle = (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname === '/register') return answerRegister(postern.context, request)
    if (request.method === 'PUT') return answerRegistrationUpdate(postern.context, request)
    if (request.method === 'DELETE') return answerRegistrationDeletion(postern.context, request)
    return answerRegistrationRead(postern.context, request)
  }
  const send = async (method: string, path: string, token: string, body?: unknown): Promise<Answered> => {
    const answer = await handle(
      new Request(`${postern.context.config.issuer}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  return {
    makeInitial,
    handle,
    send,
    register: (token: string, body: unknown) => send('POST', '/register', token, body),
  }
}
