import { afterEach, expect } from 'vitest'
import { basic, callback, type Options, openPostern, type Postern, verifier } from '#lib/testing/process/postern'

const opened: Postern[] = []
afterEach(async () => {
  for (const postern of opened.splice(0)) await postern.close()
})

type Changed = Record<string, string | undefined>

/** Opens a Postern with shortcuts for the token endpoint, and closes it after the test. */
export async function setUpTokens(options: Options = {}) {
  const postern = await openPostern(options)
  opened.push(postern)
  const exchange = (code: string, changed: Changed = {}, headers: Record<string, string> = basic) =>
    postern.token(
      { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...changed },
      headers,
    )
  const refresh = (token: string, changed: Changed = {}, headers: Record<string, string> = basic) =>
    postern.token({ grant_type: 'refresh_token', refresh_token: token, ...changed }, headers)
  const tokens = async (approval = {}) => (await exchange(await postern.approve(approval))).json()
  return { ...postern, exchange, refresh, tokens }
}

/** Returns status and error code of a rejection, which must not be cached (RFC 6749 §5.2). */
export async function refusal(answering: Promise<Response>) {
  const answer = await answering
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return `${answer.status} ${(await answer.json()).error}`
}
