import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import type { Zone } from '#lib/testing/relay/zone'

const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const withDomains = (...domains: string[]) => ({
  teams: [{ id: 'acme', name: 'Acme', apps: [{ ...web, mail_domains: domains }] }],
})

async function setUp(kind: 'sqlite' | 'postgresql' = 'sqlite') {
  const zone: Zone = {}
  const url = await freshUrl(kind)
  const line = setUpCommandLine({ DATABASE_URL: url }, zone)
  await line.cli(['apply', line.save(withDomains('acme.example'))])
  return { ...line, zone, url }
}

it.each(kinds)('declares a domain, prints its record, and verifies it once DNS has the record, on %s', async (kind) => {
  const { cli, zone } = await setUp(kind)
  const before = await cli(['app', 'mail', 'acme-web'])
  expect(before.code).toBe(0)
  const { domains, ...rest } = before.answer()
  expect(rest).toEqual({
    client_id: 'acme-web',
    accepts: 'open',
    mail: { forwarded: 0, blocked: 0, replied: 0, last_mail_on: null },
    refusals: [],
  })
  expect(domains).toEqual([
    {
      domain: 'acme.example',
      verified: false,
      proof: 'missing',
      dns: { name: '_postern.acme.example', type: 'TXT', value: expect.stringMatching(/^postern-domain=[\w-]{24}$/) },
      verified_at: null,
      loses_proof_at: null,
    },
  ])
  expect(before.stderr).toContain(
    `✗ acme.example: not proven yet. Publish:\n    _postern.acme.example. IN TXT "${domains[0].dns.value}"`,
  )
  zone['TXT _postern.acme.example'] = [domains[0].dns.value]
  const after = await cli(['app', 'mail', 'acme-web'])
  expect(after.answer()).toMatchObject({ accepts: 'registered', domains: [{ verified: true, proof: 'found' }] })
  expect(after.stderr).toContain('✓ acme.example: proven.')
})

it('prints the record to publish when the proof is gone or DNS does not answer', async () => {
  const { cli, zone } = await setUp()
  const { dns } = (await cli(['app', 'mail', 'acme-web'])).answer().domains[0]
  zone[`TXT ${dns.name}`] = [dns.value]
  await cli(['app', 'mail', 'acme-web'], '', new Date('2026-11-20T10:00:00Z'))
  delete zone[`TXT ${dns.name}`]
  const gone = await cli(['app', 'mail', 'acme-web'], '', new Date('2026-11-22T10:00:00Z'))
  expect(gone.answer().domains[0]).toMatchObject({ verified: true, loses_proof_at: '2026-11-27T10:00:00.000Z' })
  expect(gone.stderr).toContain('its proof is gone, so it stops counting on 2026-11-27')
  zone[`TXT ${dns.name}`] = 'trouble'
  expect((await cli(['app', 'mail', 'acme-web'])).stderr).toContain(
    '! acme.example: proven before; DNS did not answer now.',
  )
})

it('reports deliveries and refusals without any address', async () => {
  const { cli, url } = await setUp()
  const { prisma, close } = await openDatabase(url)
  const at = new Date('2026-11-21T10:00:00Z')
  const counts = { forwarded: 7, blocked: 2, replied: 1, lastMailAt: at }
  await prisma.alias.create({ data: { address: 'aaaaaaaaaaaa', appId: 'acme-web', createdAt: at, ...counts } })
  const refusal = {
    endpoint: 'relay',
    code: '5.7.26',
    reason: 'dmarc_failed',
    detail: '{"spf":"fail for esp.example"}',
  }
  await prisma.failure.create({ data: { id: 'f', appId: 'acme-web', ...refusal, count: 3, firstAt: at, lastAt: at } })
  await close()
  const { answer, stderr, stdout } = await cli(['app', 'mail', 'acme-web'])
  expect(answer().mail).toEqual({ forwarded: 7, blocked: 2, replied: 1, last_mail_on: '2026-11-21' })
  expect(answer().refusals).toEqual([
    {
      code: '5.7.26',
      reason: 'dmarc_failed',
      detail: { spf: 'fail for esp.example' },
      count: 3,
      first_at: at.toISOString(),
      last_at: at.toISOString(),
    },
  ])
  expect(stderr).toContain('Forwarded 7, blocked 2, replied 1; last mail: 2026-11-21.')
  expect(stderr).toContain('3 ×  last 2026-11-21T10:00:00.000Z  5.7.26 dmarc_failed  {"spf":"fail for esp.example"}')
  expect(stdout + stderr).not.toContain('aaaaaaaaaaaa')
})

it('shows a new domain in a dry run without a write; names the command for its record once it is applied', async () => {
  const { cli, save } = await setUp()
  const file = save(withDomains('acme.example', 'mail.acme.example'))
  const dry = await cli(['apply', file, '--dry-run'])
  const change = { op: 'create', kind: 'domain', id: 'acme-web/mail.acme.example', fields: [] }
  expect(dry.answer().changes).toEqual([change])
  expect(dry.stderr).toContain('+ domain acme-web/mail.acme.example')
  expect((await cli(['app', 'mail', 'acme-web'])).answer().domains).toHaveLength(1)
  const applied = await cli(['apply', file])
  expect(applied.answer().notes).toEqual([expect.stringContaining('cli app mail acme-web')])
  expect((await cli(['apply', file])).answer()).toMatchObject({ changes: [], notes: [] })
})

it('removes a domain in any spelling; refuses an unknown one', async () => {
  const { cli } = await setUp()
  const remove = (app: string, domain: string) => cli(['app', 'domain', 'remove', app, domain])
  expect((await remove('acme-web', 'other.example')).stderr).toContain('App acme-web has no mail domain other.example')
  expect((await remove('acme-web', 'ACME.example')).answer()).toEqual({
    client_id: 'acme-web',
    removed: 'acme.example',
  })
  expect((await remove('acme-web', 'acme.example')).code).toBe(1)
  expect((await cli(['app', 'mail', 'nobody'])).stderr).toContain('There is no app "nobody"')
})
