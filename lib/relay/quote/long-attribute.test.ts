import { describe, expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { alias, key, outcome, written } from '#lib/testing/relay/quoting/outcome'

const [named, stranger] = ['alice.liddell@example.org', 'edith.pleasance@example.com']
const prose = '<p>We have packed everything you asked for, and the parcel leaves our house this evening.</p>'
const titled = (name: string) => `<p title="${'word '.repeat(5000)}${name}">Hello</p>${prose}`
const image = `<img src="data:image/png;base64,${Buffer.alloc(30_000, 'image').toString('base64')}">${prose}`

const fingerprintsOf = (text: string) =>
  fingerprintMessage(Buffer.from(written({ text, subtype: 'html' })), { key, alias, sender: 'News' })

const replyWith = (address: string, text: string) =>
  outcome({ text: prose, subtype: 'html' }, { text, subtype: 'html' }, address)

describe('an attribute beyond the limit', () => {
  it.each([named, 'alice_liddell_example_org', Buffer.from(named).toString('base64')])(
    'makes a message and a reply unreadable, whether or not it names the person: %s',
    (name) => {
      expect(fingerprintsOf(titled(name))).toHaveLength(0)
      expect([named, stranger].map((address) => replyWith(address, titled(name)))).toEqual(['unreadable', 'unreadable'])
    },
  )

  it('is accepted if it is an embedded image', () => {
    expect(fingerprintsOf(image).length).toBeGreaterThan(0)
    expect(replyWith(stranger, image)).toContain('parcel')
  })
})
