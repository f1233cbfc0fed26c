import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { formOf, openAgent } from '../wire/user-agent.ts'
import type { Driver } from './driver.ts'
import type { Installation } from './installation.ts'

/**
 * The mail server says nothing, and no name has an address, while ten people ask for the code of a recovery and an app
 * names the address of its keys. Everyone is answered, and the letters that follow arrive.
 */
export async function withoutMailAndDns({ provider, noDns, mail }: Installation, { seen }: Driver): Promise<void> {
  const people = Array.from({ length: 10 }, (_, at) => {
    const username = `letter-${at}`
    return { username, password: 'correct horse battery', email: `${username}@home.example` }
  })
  await provider.apply({ people })
  const keys = { jwks: undefined, jwks_uri: 'https://keys.app.example/jwks' }
  const named = await provider.client('standard', { kind: 'assertion', ...keys })
  const recover = async ({ username }: { username: string }) => {
    const agent = openAgent(provider)
    const page = await agent.open('/recover')
    return seen.record('people', () => agent.submit(formOf(page, '/recover/submit'), { login: username }))
  }
  await writeFile(noDns, '')
  mail.line.fallSilent('new ones too')
  const [answers, refused] = await Promise.all([
    Promise.all(people.map(recover)),
    named.refresh('no-such-token'),
    pause(5000),
  ])
  await rm(noDns)
  await mail.line.mend()
  expect(answers.map((answer) => answer?.status)).toEqual(people.map(() => 200))
  expect(refused.status).toBe(401)
  expect(mail.arrived).toEqual([])
  await expect.poll(() => provider.logs(), { timeout: 60_000 }).toContain('a letter could not be sent')
  await provider.apply({ people: [{ ...people[0], username: 'letter-after', email: 'after@home.example' }] })
  await recover({ username: 'letter-after' })
  await expect.poll(() => mail.arrived.flatMap(({ to }) => to), { timeout: 30_000 }).toContain('after@home.example')
}
