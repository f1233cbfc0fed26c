import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { examples } from './settings.ts'

const shownOf = (env: Record<string, string>, name: string) =>
  readConfig(env).inForce.find((setting) => setting.name === name)

it('names every setting, and says which are defaults', () => {
  const { inForce } = readConfig({ TEAMS: 'open' })
  expect(inForce.map(({ name }) => name).sort()).toEqual(Object.keys(examples).sort())
  expect(inForce.filter(({ isDefault }) => !isDefault)).toEqual([{ name: 'TEAMS', value: 'open', isDefault: false }])
})

it('shows no secret, and no user name, password or query of an address', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64url')
  const secrets = {
    SECRET_KEY: key,
    SECRET_KEY_PREVIOUS: key,
    SMTP_URL: 'smtps://mailer:hunter2@mail.example.org:465/?pass=hunter2',
    DATABASE_URL: 'postgresql://owner:hunter2@db.example.org:5432/postern?password=hunter2',
  }
  const text = JSON.stringify(readConfig(secrets).inForce)
  for (const secret of [key, 'hunter2', 'mailer', 'owner']) expect(text).not.toContain(secret)
  expect(shownOf(secrets, 'SMTP_URL')?.value).toBe('smtps://mail.example.org:465')
  expect(shownOf(secrets, 'DATABASE_URL')?.value).toBe('postgresql://db.example.org:5432/postern')
  expect(shownOf(secrets, 'SECRET_KEY')?.value).toBe('…')
})
