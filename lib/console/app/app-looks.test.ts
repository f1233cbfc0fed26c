import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { findClient } from '#lib/db/oauth/client-store'
import { openApps } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { inLanguage } from '#lib/text/localized-name'
import { answerLogoRemoval, answerLogoUpload } from './change-logo.ts'

const wide = () =>
  sharp({ create: { width: 300, height: 100, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

function formWith(bytes: Uint8Array) {
  const form = new FormData()
  form.set('picture', new File([new Uint8Array(bytes)], 'logo.svg', { type: 'image/svg+xml' }))
  return form
}

describe.each(kinds)('names and logo of an app on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { member, register, change, send, found } = openApps(postern)
  const prisma = () => postern.context.database.prisma
  type Account = Awaited<ReturnType<typeof member>>
  const upload = async (account: Account, app: string, bytes: Uint8Array, team = 'acme') => {
    const handler: typeof answerLogoUpload = (context, request) =>
      answerLogoUpload(context, new Request(`${request.url}?team=${team}&app=${app}`, request))
    const flash = await account.flashOf(await account.post(handler, formWith(bytes)), 'app')
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  const trust = (trusted: boolean) => prisma().team.update({ where: { id: 'acme' }, data: { trusted } })

  it('shows the name of a language, and the other name where there is none', async () => {
    const ada = await member()
    const { id } = await register(ada)
    const names = { 'name#ja': '庭', 'name#zh-CN': '花园' }
    expect((await change(ada, id, { shown: ['name#ja', 'name#zh-CN', 'name#zh-TW'], ...names })).result).toBe('changed')
    const client = await findClient(prisma(), id)
    if (!client) throw new Error('The app is gone.')
    const shown = (['ja', 'zh-CN', 'zh-TW', 'en'] as const).map((locale) => inLanguage(client, locale).name)
    expect(shown).toEqual(['庭', '花园', 'New App', 'New App'])
    expect((await change(ada, id, { shown: 'name#ja', 'name#ja': '' })).result).toBe('changed')
    expect((await findClient(prisma(), id))?.names).toEqual({ 'zh-CN': '花园' })
    const tooLong = { shown: 'name#ja', 'name#ja': '長'.repeat(81) }
    expect((await change(ada, id, tooLong)).result).toBe('name#ja rule')
  })

  it('refuses names that deceive, in every language, of a team that the operator has not approved', async () => {
    const ada = await member()
    const { id } = await register(ada)
    await trust(false)
    const problem = async (name: string) => (await change(ada, id, { shown: 'name#ja', 'name#ja': name })).result
    expect(await problem('Pаypal')).toBe('name#ja name_scripts')
    expect(await problem(`${postern.context.config.serviceName} Mail`)).toBe('name#ja name_reserved')
    const other = await prisma().team.findFirstOrThrow({ where: { id: { not: 'acme' }, skeleton: { not: null } } })
    expect(await problem(other.name.toUpperCase())).toBe('name#ja name_lookalike')
    expect((await register(ada, { name: 'Support' })).result).toBe('name name_reserved')
    expect(await problem('庭')).toBe('changed')
    await trust(true)
    expect(await problem(other.name)).toBe('changed')
  })

  it('stores a logo, encoded again as a whole, and deletes the previous one', async () => {
    const ada = await member()
    const { id } = await register(ada)
    const stored = await prisma().picture.count()
    expect(await upload(ada, id, await wide())).toBe('logo_changed')
    const first = (await found(id)).logoFile as string
    const picture = await postern.context.pictures.find(first)
    const { width, height, format } = await sharp(picture?.bytes).metadata()
    expect([width, height, format, first]).toEqual([512, 512, 'webp', expect.stringMatching(/^[\w-]{32}\.webp$/)])
    const [red, , , alpha] = await sharp(picture?.bytes)
      .extract({ left: 256, top: 256, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect([Number(red) > 200, alpha ?? 255]).toEqual([true, 255])
    const at8 = await Promise.all(Array.from({ length: 8 }, async () => upload(ada, id, await wide())))
    expect(new Set(at8)).toEqual(new Set(['logo_changed']))
    expect(await prisma().picture.count()).toBe(stored + 1)
    expect((await findClient(prisma(), id))?.logoFile).toBe((await found(id)).logoFile)
    await trust(false)
    expect((await findClient(prisma(), id))?.logoFile).toBeUndefined()
    await trust(true)
    expect((await send(ada, answerLogoRemoval, { app: id }, 'app')).result).toBe('logo_removed')
    expect([(await found(id)).logoFile, await prisma().picture.count()]).toEqual([null, stored])
    const kept = await postern.context.acts.list('acme', undefined, 50)
    expect(kept.filter(({ target }) => target === id)[0]?.kind).toBe('logo_removed')
  })

  it('shows a homepage only at a domain that the team has proven, unless the operator has approved the team', async () => {
    const ada = await member()
    const { id } = await register(ada)
    const homepage = 'https://www.bank.example/login'
    expect((await change(ada, id, { shown: 'homepage', homepage })).result).toBe('changed')
    const shown = async () => (await findClient(prisma(), id))?.homepage
    expect(await shown()).toBe(homepage)
    await trust(false)
    expect(await shown()).toBe('')
    const now = postern.context.now()
    const prove = (domain: string) =>
      prisma().teamDomain.create({ data: { teamId: 'acme', domain, proof: 'x', createdAt: now, verifiedAt: now } })
    for (const domain of ['garden.example', 'nk.example', 'login.www.bank.example']) await prove(domain)
    expect(await shown()).toBe('')
    await prove('bank.example')
    expect(await shown()).toBe(homepage)
    await prisma().teamDomain.deleteMany({ where: { teamId: 'acme' } })
    await trust(true)
  })

  it('refuses other files, and the app of another team', async () => {
    const ada = await member()
    const { id } = await register(ada)
    expect(await upload(ada, id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('picture_kind')
    expect(await upload(ada, id, Buffer.alloc(0))).toBe('picture_empty')
    expect(await upload(ada, id, Buffer.alloc(6 * 1024 * 1024))).toBe('picture_large')
    expect(await upload(ada, 'other-web', await wide())).toBe('')
    expect(await upload(ada, 'other-web', await wide(), 'other')).toBe('')
    expect(await upload(await member('viewer', 'bob'), id, await wide())).toBe('not_allowed')
    expect((await found(id)).logoFile).toBeNull()
  })
})
