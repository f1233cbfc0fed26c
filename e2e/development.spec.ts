import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, problem, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'

const root = resolve(import.meta.dirname, '..')
const parts = [
  'app',
  'bin/start.mjs',
  'lib',
  'messages',
  'prisma',
  'public',
  'next.config.mjs',
  'package.json',
  'proxy.ts',
  'serve.ts',
  'server.ts',
]

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/**
 * Starts `npm run dev` in a copy of the checkout: Next allows one development server for each folder, and a
 * developer's server may already run.
 */
async function startDevelopment(): Promise<ServerProcess> {
  const copy = await mkdtemp(join(root, '.next/development-'))
  undo.push(() => rm(copy, { recursive: true, force: true }))
  for (const part of [...parts, 'tsconfig.json']) await cp(join(root, part), join(copy, part), { recursive: true })
  const server = await ServerProcess.start({ NODE_ENV: 'development' }, copy)
  undo.push(() => server.remove())
  return server
}

test('serves both hosts in development as in production and compiles pages on request', async ({ page }) => {
  const server = await startDevelopment()
  const { issuer, accountUrl } = server
  const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status
  expect(await status(`${issuer}/.well-known/openid-configuration`)).toBe(200)
  expect(await status(`${issuer}/signin`)).toBe(404)
  expect(await status(`${accountUrl}/oauth2/token`)).toBe(404)
  expect(await status(`${accountUrl}/no-such-page`)).toBe(404)

  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  const answer = await page.goto(`${accountUrl}/signin?to=/account`)
  expect(answer?.headers()['x-frame-options']).toBe('DENY')
  await page.locator('[name=username]').fill('nobody')
  await page.locator('[name=password]').fill('a guess that is wrong')
  await page.locator('#signin-submit').click()
  await expect(problem(page)).toBeVisible()
  expect(refused).toEqual([])
  expect(server.logs()).not.toMatch(/telemetry|"level":"error"/i)
})
