import { describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'

describe.each(kinds)('eight concurrent requests on %s', (kind) => {
  const eight = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, run))

  it('exchange one code once; the replays revoke its tokens', async () => {
    const { approve, exchange, userinfo } = await setUpTokens({ kind })
    const code = await approve()
    const answers = await eight(() => exchange(code))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    const { access_token } = await (answers.find(({ ok }) => ok) as Response).json()
    expect((await userinfo(access_token)).status).toBe(401)
  })

  it('refresh one token with the same successor, which is valid', async () => {
    const { tokens, refresh } = await setUpTokens({ kind })
    const { refresh_token } = await tokens()
    const answers = await eight(() => refresh(refresh_token))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    const successors = new Set(bodies.map((body) => body.refresh_token))
    expect(successors.size).toBe(1)
    expect((await refresh([...successors][0])).status).toBe(200)
  })

  it('leave nothing valid when refreshes race a revocation', async () => {
    const { tokens, refresh, revoke } = await setUpTokens({ kind })
    const { refresh_token } = await tokens()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => refresh(refresh_token)),
      revoke({ token: refresh_token }),
      ...Array.from({ length: 4 }, () => refresh(refresh_token)),
    ])
    for (const answer of answers.filter(({ url, ok }) => ok && url !== undefined)) {
      const text = await answer.text()
      if (text) expect((await refresh(JSON.parse(text).refresh_token)).status).toBe(400)
    }
    expect((await refresh(refresh_token)).status).toBe(400)
  })

  it('go through the whole life of a code and its refresh tokens', async () => {
    const { tokens, refresh, userinfo, context } = await setUpTokens({ kind })
    const first = await tokens({ scopes: ['openid', 'name'] })
    const second = await (await refresh(first.refresh_token)).json()
    expect(await (await userinfo(second.access_token)).json()).toMatchObject({ name: 'Ada L.' })
    // Moves the rotation a minute into the past, beyond the retry window. PostgreSQL measures the window by its own
    // clock.
    await context.database.prisma.authorization.updateMany({ data: { rotatedAt: new Date(Date.now() - 60_000) } })
    expect(await refusal(refresh(first.refresh_token))).toBe('400 invalid_grant')
    expect(await refusal(refresh(second.refresh_token))).toBe('400 invalid_grant')
    expect((await userinfo(second.access_token)).status).toBe(401)
  })
})

describe.each(kinds)('200 requests at once on %s', (kind) => {
  it('exchange each code once, and refuse a code made of two', async () => {
    const { approve, exchange } = await setUpTokens({ kind })
    const codes: string[] = []
    while (codes.length < 100) codes.push(await approve())
    const mixed = codes.map((code, at) => `${code.split('.')[0]}.${codes.at(at - 1)?.split('.')[1]}`)
    const answers = await Promise.all([...mixed, ...codes].map((code) => exchange(code)))
    expect(answers.map(({ status }) => status)).toEqual([...Array(100).fill(400), ...Array(100).fill(200)])
  })
})
