import { expect, it } from 'vitest'
import { readConfig, SettingsError } from '#lib/server/settings/config'
import { securityTxt } from './security-txt.ts'

const now = new Date('2026-01-31T23:59:59.999Z')

it('names the contact, both addresses of the file and a time in the future, less than a year ahead', async () => {
  const answer = securityTxt(readConfig({ SECURITY_CONTACT: 'mailto:security@example.org' }), now)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await answer.text()).split('\n')).toEqual([
    'Contact: mailto:security@example.org',
    'Expires: 2026-07-30T00:00:00.000Z',
    'Canonical: http://localhost:3000/.well-known/security.txt',
    'Canonical: http://localhost:3001/.well-known/security.txt',
    '',
  ])
})

it('answers 404 without a contact', () => {
  expect(securityTxt(readConfig({}), now).status).toBe(404)
})

it('accepts only a contact that fits in one line of the file', () => {
  for (const contact of ['https://example.org/report', 'mailto:security@example.org', 'tel:+1-201-555-0123'])
    expect(readConfig({ SECURITY_CONTACT: contact }).securityContact).toBe(contact)
  for (const contact of ['security@example.org', 'http://example.org/', 'mailto:a@example.org\nContact: x', 'https://'])
    expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(SettingsError)
})
