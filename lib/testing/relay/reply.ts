import type { AboutReply } from '#lib/relay/reply/rewrite/rewrite-reply'

/** The reply of alice@example.org that the tests of the reply path use. */
export const aboutReply: AboutReply = {
  alias: 'b7kq3mzt9xpd@relay.example',
  displayName: 'Alice',
  to: 'orders@app.example',
  reverse: 'r-abcdefghjkmnpqrstuvw@relay.example',
  hidden: ['alice@example.org', 'A.Liddell@gmail.com', 'zoë@bücher.example'],
  now: new Date('2026-11-20T10:00:00.000Z'),
  messageId: '<q8w2x5c7v9b3n4m6@relay.example>',
  mapMessageId: (id) =>
    ({ '<relayed-2@relay.example>': '<order-2@app.example>' })[id] ?? (id.endsWith('@app.example>') ? id : undefined),
}

/** Returns a message to the reverse address with these header fields and this body. */
export const message = (fields: string, body: string): Buffer =>
  Buffer.from(
    `From: alice@example.org\r\nTo: <${aboutReply.reverse}>\r\nMIME-Version: 1.0\r\n${fields === '' ? '' : `${fields}\r\n`}\r\n${body}`,
  )
