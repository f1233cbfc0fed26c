import { expect, it } from 'vitest'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { resealAll } from '#lib/keys/reseal'
import { kinds } from '#lib/testing/databases/databases'
import { setUpTokens } from '#lib/testing/oauth/tokens'
import { testKey } from '#lib/testing/process/postern'

const fresh = Buffer.alloc(32, 2).toString('base64url')

/** The settings of a node in each phase of a rotation of SECRET_KEY (docs/operate.md#secret-key). */
const phases = {
  before: { SECRET_KEY: testKey },
  announced: { SECRET_KEY: testKey, SECRET_KEY_PREVIOUS: fresh },
  swapped: { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: testKey },
}
type Phase = keyof typeof phases

/** Opens nodes in two phases on one database. Returns a function that refreshes at the second node after the first. */
async function setUpNodes(kind: (typeof kinds)[number], one: Phase, other: Phase) {
  const base = await setUpTokens({ kind })
  const settings = base.settings as Record<string, string>
  const open = (phase: Phase) => setUpTokens({ env: { ...settings, ...phases[phase] }, provision: { teams: [] } })
  const [first, second] = [await open(one), await open(other)]
  const refreshAtBoth = async () => {
    let { refresh_token: token } = await base.tokens()
    const statuses: number[] = []
    for (const node of [first, second, first, second]) {
      const answer = await node.refresh(token)
      statuses.push(answer.status)
      token = (await answer.json()).refresh_token ?? ''
    }
    return statuses
  }
  const resealAtSecond = () => resealAll(second.context.secrets, sealedRows(second.context.database.prisma))
  return { first, refreshAtBoth, resealAtSecond }
}

it.each(kinds)('refreshes at nodes of two successive phases in turn, on %s', async (kind) => {
  for (const [one, other] of [
    ['before', 'announced'],
    ['announced', 'swapped'],
  ] as const) {
    const { first, refreshAtBoth, resealAtSecond } = await setUpNodes(kind, one, other)
    expect(await refreshAtBoth()).toEqual([200, 200, 200, 200])
    await resealAtSecond()
    first.later(6)
    expect(await first.context.unready()).toBeUndefined()
  }
})

it.each(kinds)('ends a refresh chain when nodes skip the phase that announces the new key, on %s', async (kind) => {
  const { first, refreshAtBoth, resealAtSecond } = await setUpNodes(kind, 'before', 'swapped')
  expect((await refreshAtBoth()).slice(0, 3)).toEqual([200, 200, 400])
  await resealAtSecond()
  first.later(6)
  expect(await first.context.unready()).toBe('the signing keys do not open')
})
