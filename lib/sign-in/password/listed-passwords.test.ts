import { expect, it } from 'vitest'
import { isListed } from './listed-passwords.ts'

it.each(['password', 'Password', 'qwertyuiop', '1q2w3e4r5t', 'liverpool', 'iloveyou'])('knows %s', (password) => {
  expect(isListed(password)).toBe(true)
})

it.each(['', 'x', 'correct horse battery', 'the gate stands ajar', '__proto__', 'constructor', '密码密码密码密码'])(
  'does not know “%s”',
  (password) => {
    expect(isListed(password)).toBe(false)
  },
)
