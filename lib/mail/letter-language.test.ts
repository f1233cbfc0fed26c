import { describe, expect, it } from 'vitest'
import { inviteMember } from '#lib/console/team/invitations'
import { openBrowser } from '#lib/testing/browser/browser'
import { shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { lettersTo } from '#lib/testing/relay/mail'
import { type Locale, messagesFor } from '#lib/text/messages'

const owner = { to: 'ada@languages.example.org', locale: 'ja', username: 'ada' }
const subjectIn = (locale: Locale, letter: 'newSignIn' | 'deletionUndone' | 'codeToRecover' | 'teamInvitation') =>
  messagesFor(locale).letters[letter].subject.replace('{service}', 'Postern')

describe.each(kinds)('the language of letters about an account on %s', (kind) => {
  const start = shareFlow({ kind, env: { BRAND_DIR: 'deploy/brand', LANGUAGES: 'en,ja,zh-TW,fr' } })

  /** Sets the shared language of ada to Japanese, and the language of her pages. */
  async function setUp(pageLanguage: string) {
    const started = await start()
    const data = { email: owner.to, locale: owner.locale, pageLanguage }
    const ada = await started.prisma.person.update({ where: { username: 'ada' }, data })
    const subjectTo = async (address: string) => (await lettersTo(started.context, address))[0]?.subject
    return { ...started, ada, subjectTo }
  }

  it('is the one chosen in the footer, and the shared locale stays', async () => {
    const { context, prisma, subjectTo } = await setUp('zh-TW')
    const browser = openBrowser(context)
    await browser.signIn(await browser.authorize())
    expect(await subjectTo(owner.to)).toBe(subjectIn('zh-TW', 'newSignIn'))
    await context.letters.deletionUndone(owner)
    expect(await subjectTo(owner.to)).toBe(subjectIn('zh-TW', 'deletionUndone'))
    expect((await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).locale).toBe('ja')
  })

  it.each([
    ['none', ''],
    ['one without letters', 'fr'],
    ['one that LANGUAGES no longer offers', 'zh-CN'],
  ])('is the shared locale of a person who has chosen %s', async (_what, pageLanguage) => {
    const { context, subjectTo } = await setUp(pageLanguage)
    await context.letters.deletionUndone(owner)
    expect(await subjectTo(owner.to)).toBe(subjectIn('ja', 'deletionUndone'))
  })

  it('is that of its maker in an invitation to a team', async () => {
    const { context, ada, subjectTo } = await setUp('zh-TW')
    const team = { id: 'acme', name: 'Acme', role: 'owner', isClosed: false, isTrusted: false } as const
    const by = { team: { ...team, createdAt: context.now(), apps: 0, members: 1 }, person: { ...ada, locale: 'en' } }
    for (const [pageLanguage, expected] of [['zh-TW', 'zh-TW'] as const, ['', 'en'] as const]) {
      const to = `guest-${expected.toLowerCase()}@example.org`
      await inviteMember(context, { ...by, person: { ...by.person, pageLanguage } }, { address: to, role: 'viewer' })
      expect(await subjectTo(to)).toBe(subjectIn(expected, 'teamInvitation'))
    }
  })
})
