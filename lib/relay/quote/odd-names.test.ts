import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outcome } from '#lib/testing/relay/quoting/outcome'

const stranger = 'edith.pleasance@example.com'

/** Addresses, and texts of an app that name them in ways that a search for names could miss. */
const cases: [what: string, address: string, name: string][] = [
  ['a sign that looks like an escape', 'a1@b2.io', 'a1=b2.io'],
  ['a percent sign that looks like an escape', '123@456.cn', '123%456.cn'],
  ['an octal escape in a short address', 'max@a.de', 'max\\100a.de'],
  [
    'bytes around an address in base64',
    'max@a.de',
    Buffer.from('80ff01026d617840612e646500ff', 'hex').toString('base64'),
  ],
  ['an apostrophe, in a form of Exchange', "o'neil@example.org", "IMCEASMTP-o'neil+40example.org"],
  ['an apostrophe in the name of a folder', "o'neil@example.org", "/home/o'neil/orders"],
  ['a folder of two words', 'bo.smith@example.org', 'C:\\Users\\Bo Smith\\Desktop'],
  // The digest of this address begins with a plus sign.
  ['a digest that begins with a sign', 'carl+shop@example.org', md5('carl+shop@example.org', 'base64')],
  ['a digest that begins with a dash', 'carl+shop@example.org', md5('carl+shop@example.org', 'base64url')],
  ['a digest in small letters', 'bo.smith@example.org', md5('bo.smith@example.org', 'base64').toLowerCase()],
]

function md5(address: string, encoding: 'base64' | 'base64url'): string {
  return createHash('md5').update(address).digest(encoding)
}

describe('a copied name', () => {
  it.each(cases)('gives the same reply, whether or not it names the person: %s', (_, address, name) => {
    const line = `We know ${name} as a friend.`
    const sent = { text: `Hello\n${line}\nGoodbye` }
    const reply = { text: `Right?\n${line}\nYes.` }
    expect(outcome(sent, reply, address)).toBe(outcome(sent, reply, stranger).replaceAll(stranger, address))
  })

  it('gives the same reply in an attribute of five letters', () => {
    const line = '<p title="a@b.org">We know you.</p>'
    const [sent, reply] = [`<p>Hello</p>${line}`, line].map((text) => ({ text, subtype: 'html' as const })) as [
      { text: string; subtype: 'html' },
      { text: string; subtype: 'html' },
    ]
    expect(outcome(sent, reply, 'a@b.org')).toBe(outcome(sent, reply, stranger))
  })
})

describe('a folder named like the person', () => {
  it('is replaced with all words of its name and no other words', () => {
    const words = 'It is in C:\\Users\\Anna Li\\Desktop and in /home/anna.li and in C:\\Users\\Anna Li and you know.'
    const sent = outcome({ text: 'Where is it?' }, { text: words }, 'anna.li@example.org')
    expect(sent).toContain('C:\\Users\\user\\Desktop and in /home/user and in C:\\Users\\user and you know.')
  })
})
