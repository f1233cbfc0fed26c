import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply, fileOf, said, web } from '#lib/testing/databases/provision'

const withDomains = (...domains: string[]) => fileOf([{ ...web, mail_domains: domains }])

onBothDatabases('provisioning of mail domains', (open) => {
  it('gives each domain its own proof, once', async () => {
    const database = await open()
    const { prisma } = database
    const { plan } = await apply(database, withDomains('ACME.example', 'bücher.example'))
    expect(said(plan).slice(-2)).toEqual([
      'create domain acme-web/acme.example',
      'create domain acme-web/xn--bcher-kva.example',
    ])
    expect(plan.notes).toEqual([expect.stringContaining('cli app mail acme-web')])
    const made = await prisma.mailDomain.findMany()
    expect(new Set(made.map(({ proof }) => proof)).size).toBe(2)
    expect(made.every(({ verifiedAt, checkedAt }) => verifiedAt === null && checkedAt === null)).toBe(true)
    const again = await apply(database, withDomains('acme.example', 'xn--bcher-kva.example'))
    expect([again.plan.steps, again.plan.notes]).toEqual([[], []])
    expect(await prisma.mailDomain.findMany()).toEqual(made)
  })

  it('adds a new domain, and keeps and reports an unlisted one', async () => {
    const database = await open()
    await apply(database, withDomains('acme.example'))
    const { plan } = await apply(database, withDomains('mail.example'))
    expect(said(plan)).toEqual(['create domain acme-web/mail.example'])
    expect(plan.notes).toContainEqual(expect.stringContaining('cli app domain remove acme-web acme.example'))
    expect((await apply(database, fileOf([web]))).plan.notes).toEqual([])
    expect(await database.prisma.mailDomain.count()).toBe(2)
  })

  it('allows two apps to have the same domain, each with its own proof', async () => {
    const database = await open()
    const apps = ['one-app', 'two-app'].map((id) => ({ ...web, client_id: id, mail_domains: ['acme.example'] }))
    await apply(database, fileOf(apps))
    const made = await database.prisma.mailDomain.findMany()
    expect(new Set(made.map(({ proof }) => proof)).size).toBe(2)
  })
})
