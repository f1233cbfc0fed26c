import { describe, expect, it } from 'vitest'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { kinds } from '#lib/testing/databases/databases'
import { makeProofPair, signProof } from '#lib/testing/oauth/proofs'
import { setUpTokens } from '#lib/testing/oauth/tokens'
import { basic } from '#lib/testing/process/postern'

describe.each(kinds)('eight equal proofs at once on %s', (kind) => {
  const eight = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, run))
  const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort()

  it('refresh once, exchange once, and read userinfo once', async () => {
    const { approve, exchange, refresh, context } = await setUpTokens({ kind })
    const { issuer } = context.config
    const pair = await makeProofPair()
    const withProof = async () => ({ ...basic, dpop: await signProof(pair, `${issuer}/oauth2/token`) })

    const code = await approve()
    const first = await withProof()
    const exchanges = await eight(() => exchange(code, {}, first))
    // A request that reads the code after the first one has spent it is a replay of the code as well.
    expect(statuses(exchanges)).toEqual([200, ...Array(7).fill(400)])

    const { refresh_token } = await (await exchange(await approve(), {}, await withProof())).json()
    const second = await withProof()
    const refreshes = await eight(() => refresh(refresh_token, {}, second))
    expect(statuses(refreshes)).toEqual([200, ...Array(7).fill(400)])
    const bodies = await Promise.all(refreshes.map((answer) => answer.json()))
    expect(bodies.filter(({ error }) => error === 'invalid_dpop_proof')).toHaveLength(7)

    const { access_token } = bodies.find((body) => 'access_token' in body)
    const change = { method: 'GET', accessToken: access_token }
    const headers = { authorization: `DPoP ${access_token}`, dpop: await signProof(pair, `${issuer}/userinfo`, change) }
    const reads = await eight(() => answerUserinfo(context.oauth, new Request(`${issuer}/userinfo`, { headers })))
    expect(statuses(reads)).toEqual([200, ...Array(7).fill(401)])
  })
})
