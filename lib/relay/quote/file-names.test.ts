import { expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'

const key = Buffer.alloc(32, 7)
const alias = aboutReply.alias.split('@')[0] as string
const [named, stranger] = ['alice.liddell@example.org', 'edith.pleasance@example.com']
const file = (name: string) =>
  `Content-Type: image/png; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\npng`

/**
 * Returns the message that the app receives when a person with this address attaches the app's file under another
 * name.
 */
function replyOf(address: string, sentName: string, name: string): string {
  const prints = fingerprintMessage(Buffer.from(file(sentName)), { key, alias, sender: 'Acme News' })
  const fields = 'Subject: Re: Order 7\r\nContent-Type: multipart/mixed; boundary="0/b"'
  const result = rewriteReply(message(fields, `--0/b\r\n${file(name)}\r\n--0/b--\r\n`), {
    ...aboutReply,
    hidden: [address],
    sent: [{ key, alias, prints }],
  })
  return result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
}

it.each([`${named} (1).png`, `${named}(2).png`, `${named}-1.png`, `${named}_12.png`])(
  'reveals nothing about the person when a file of the app comes back as %s',
  (name) => {
    const sent = replyOf(named, `${named}.png`, name)
    expect(sent).toBe(replyOf(stranger, `${named}.png`, name))
    expect(sent).toContain(named)
  },
)

it('hides the address in any other name', () => {
  expect(replyOf(named, 'picture.png', `${named} (1).png`)).not.toContain(named)
})
