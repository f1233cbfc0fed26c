import { expect, it } from 'vitest'
import { welcome } from './welcome.ts'

const about = {
  demoUrl: 'http://localhost:3002',
  accountUrl: 'http://localhost:3001',
  person: { username: 'ada', password: 'two words' },
  hasInbox: true,
  stop: 'Ctrl-C',
}

it('names demo, person, password in quotes, inbox, account and how to stop, in a straight box', () => {
  const box = welcome(about)
  for (const text of ['http://localhost:3002', 'ada', '"two words"', '/dev/inbox', '/account', 'Ctrl-C'])
    expect(box).toContain(text)
  expect(new Set(box.split('\n').map((line) => line.length)).size).toBe(1)
})

it('leaves out the inbox if e-mails are sent to a real mail server', () => {
  expect(welcome({ ...about, hasInbox: false })).not.toContain('inbox')
})
