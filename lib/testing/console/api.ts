import { answerApi } from '#lib/console/api/answer'
import { operations } from '#lib/console/api/operations'
import { answerTokenMaking } from '#lib/console/tokens/team-token'
import type { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'

type Account = Awaited<ReturnType<typeof openAccount>>

export type Sent = { body?: unknown; headers?: Record<string, string>; text?: string }
export type Reply = { status: number; headers: Headers; text: string; json: Record<string, never> }

/** Returns functions that make API tokens and send requests to the API. */
export function openApi(postern: Postern) {
  /** Makes a token by the form of the console; returns it, or the codes of the problems. */
  const makeToken = async (account: Account, team: string, scopes: string[], fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ team, name: 'CI', days: '90', ...fields })
    for (const scope of scopes) body.append('scopes', scope)
    const flash = await account.flashOf(await account.post(answerTokenMaking, body), 'token')
    return flash?.kept.token ?? flash?.problems.map(({ code }) => code).join(' ') ?? ''
  }
  /** Sends a request, by default as JSON and with a token. */
  const send = async (token: string, method: string, path: string, { body, headers, text }: Sent = {}) => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`${postern.context.config.accountUrl}/console/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    })
    const answer = await answerApi(postern.context, request)
    const received = await answer.text()
    const json = received === '' ? {} : JSON.parse(received)
    checkDocumented(method, path, answer.status, json)
    return { status: answer.status, headers: answer.headers, text: received, json } as Reply
  }
  return { makeToken, send }
}

/** Throws unless a successful answer is one that the OpenAPI document describes. */
function checkDocumented(method: string, path: string, status: number, json: unknown) {
  if (status >= 300 || path.startsWith('/openapi.json')) return
  const [bare = ''] = path.split('?')
  const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare)
  const operation = operations.find((one) => fits(one.path) && one.method === (method === 'HEAD' ? 'GET' : method))
  if (!operation) throw new Error(`${method} ${path} is not documented.`)
  if (status !== (operation.answer?.status ?? 204)) throw new Error(`${method} ${path} answered ${status}.`)
  operation.answer?.schema.parse(json)
}
