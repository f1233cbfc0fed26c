import { expect, it } from 'vitest'
import { shareFlow } from '#lib/testing/browser/flow'
import { answerSecureStep, secureStepLink, wayBackToSteps } from './secure-steps.ts'

const start = shareFlow()
const at = new Date('2026-01-02T03:04:05.678Z')
const steps = '/account/activity/secure?at=2026-01-02T03%3A04%3A05.678Z'

async function setUp() {
  const { context } = await start()
  const go = async (path: string) => {
    const answer = await answerSecureStep(context, new Request(`http://localhost:3001${path}`))
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { to: answer.headers.get('location'), back: (page: string) => wayBackToSteps(context, cookie, page) }
  }
  return { go }
}

it.each(['/account/security', '/account/email', '/account/apps'])(
  'leads to %s, from where a link leads back',
  async (to) => {
    const { go } = await setUp()
    const there = await go(secureStepLink(at, to))
    expect(there.to).toBe(to)
    expect([there.back(to), there.back(`${to}/a/b`)]).toEqual([steps, steps])
    expect([there.back('/account'), there.back(`${to}x`), there.back('/account/activity')]).toEqual(
      Array(3).fill(undefined),
    )
    expect((await go(secureStepLink(undefined, to))).back(to)).toBe('/account/activity/secure')
  },
)

it('ends without a section', async () => {
  const { go } = await setUp()
  const there = await go(secureStepLink(at))
  expect([there.to, there.back('/account/apps')]).toEqual(['/account/activity', undefined])
})

it.each([
  ['another section', '?to=/account/data&at=now'],
  ['another site', '?to=https://evil.example/&at=now'],
  ['a moment that is none', '?to=/account/apps&at=%0d%0ax'],
  ['nothing', ''],
])('leads nowhere else for %s', async (_, query) => {
  const { go } = await setUp()
  const there = await go(`/account/activity/secure/go${query}`)
  expect([there.to, there.back('/account/apps')]).toEqual(['/account/activity', undefined])
})
