import { brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'
import { findLeak } from './leak-gate.ts'

const alias = aboutReply.alias
const person = 'alice.liddell@example.org'

/** Returns the rewritten body, or the reason of the refusal. */
function sent(text: string, hidden = [person], type = 'text/html'): string {
  const raw = message(`Content-Type: ${type}; charset=utf-8`, text)
    .toString()
    .replace('alice@example.org', 'x@y.example')
  const result = rewriteReply(Buffer.from(raw), { ...aboutReply, displayName: undefined, hidden })
  if (result.kind === 'refused') return result.reason
  const [, body = ''] = /\r\n\r\n(.*)$/s.exec(result.message.toString()) ?? []
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Returns the finding of the leak gate in a file with these bytes. */
const found = (bytes: string | Buffer, hidden = [person]) =>
  findLeak(
    Buffer.from(
      `X-Id: 1\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes as string).toString('base64')}`,
    ),
    hidden,
  )

describe('an address in one word', () => {
  it.each([
    [
      'https://acme-my.sharepoint.example/personal/alice_liddell_example_org/Documents',
      'personal/b7kq3mzt9xpd_relay_example/',
    ],
    ['?id=%2Fpersonal%2Falice%5Fliddell%5Fexample%5Forg%2FDocs', '%2Fb7kq3mzt9xpd%5Frelay%5Fexample%2F'],
    ['report-alice-liddell-example-org.pdf', 'report-b7kq3mzt9xpd-relay-example.pdf'],
    ['alice.liddell-example.org', 'b7kq3mzt9xpd-relay-example'],
    ['alice_liddell_at_example_org', 'b7kq3mzt9xpd_relay_example'],
  ])('is hidden: %s', (text, expected) => {
    expect(sent(`See ${text} here`)).toContain(expected)
    expect(found(text)).toBe('leak')
  })

  it.each(['contact-info-acme-example.html', 'https://info.acme.example/', 'e-mail-to-info-acme', 'gmail-com'])(
    'is not found inside other words: %s',
    (text) => {
      expect(sent(text, ['info@acme.example', 'a@gmail.com'])).toBe(text)
      expect(found(text, ['info@acme.example', 'a@gmail.com'])).toBeUndefined()
    },
  )
})

describe('an address after another word', () => {
  it.each(['filename_', 'user_', 'cust-', 'news+', '7.', '7', 'E-Mail'])('is hidden in a text: %s', (word) => {
    expect(sent(`It is ${word}${person}.`)).toBe(`It is ${word}${alias}.`)
  })

  it.each(['filename_', 'x.', 'to-'])('is refused in a file: %s', (word) => {
    expect(found(`id,key\n1,${word}${person}\n`)).toBe('leak')
  })

  it('is refused in a binary file with any neighbouring bytes', () => {
    expect(found(`\0\x01Bob${person}none\0`)).toBe('leak')
    expect(found(Buffer.from(`\ufeffBob${person}none\0`, 'utf16le'))).toBe('leak')
  })

  it.each(['malice@example.org', 'mad.alice@example.org'])(
    'does not match a different address in a text: %s',
    (other) => {
      expect(sent(`Ask ${other}.`, ['alice@example.org'])).toBe(`Ask ${other}.`)
    },
  )
})

describe('a reversed address', () => {
  it.each([
    [
      `SRS0=a1B2=ZZ=example.org=alice.liddell@forward.example`,
      `SRS0=a1B2=ZZ=relay.example=b7kq3mzt9xpd@forward.example`,
    ],
    [`SRS1=a1=mid.example==a1B2=ZZ=example.org=alice.liddell@f.example`, `relay.example=b7kq3mzt9xpd@f.example`],
    [`list-return-42-alice.liddell=example.org@list.example`, `list-return-42-b7kq3mzt9xpd=relay.example@list.example`],
    [`prvs=0123456789=${person}`, `prvs=0123456789=${alias}`],
    [`example.org!alice.liddell`, `relay.example!b7kq3mzt9xpd`],
  ])('is hidden: %s', (text, expected) => {
    expect(sent(`By way of ${text}`)).toContain(expected)
    expect(found(text)).toBe('leak')
  })
})

describe('another address of the same inbox', () => {
  it.each([
    ['alice@icloud.com', 'alice@me.com'],
    ['alice@mac.com', 'alice+shop@icloud.com'],
    ['alice.liddell@proton.me', 'aliceliddell@pm.me'],
    ['alice@protonmail.com', 'a.lice@proton.me'],
    ['a.liddell@gmail.com', 'aliddell+x@googlemail.com'],
    ['alice.liddell@yandex.ru', 'alice-liddell@ya.ru'],
  ])('is hidden: %s as %s', (bound, used) => {
    expect(sent(`mail ${used} here`, [bound])).toBe(`mail ${alias} here`)
  })

  it.each([
    ['alice@outlook.com', 'alice@hotmail.com'],
    ['a.lice@icloud.com', 'alice@icloud.com'],
    ['alice@me.com', 'alice@acme.com'],
  ])('does not match another person’s: %s and %s', (bound, other) => {
    expect(sent(`mail ${other} here`, [bound])).toBe(`mail ${other} here`)
  })
})

describe('a local path', () => {
  it.each([
    ['<img src="file:///home/alice.liddell/a b.png">', '<img src="about:blank">'],
    ['<img srcset="https://x.example/a.png 2x, file:///home/alice.liddell/a b.png 1x">', '<img srcset="about:blank">'],
    [
      '<img originalsrc="C:\\Users\\alice.liddell\\x y.png" src="cid:1">',
      '<img originalsrc="about:blank" src="cid:1">',
    ],
    ['<p style="background:url(file:///home/alice.liddell/a b.png)">', '<p style="background:url(about:blank)">'],
    ['saved in C:\\Users\\alice.liddell\\x', 'saved in C:\\Users\\user\\x'],
    ['in C:\\\\Users\\\\Alice Liddell\\\\x', 'in C:\\\\Users\\\\user\\\\x'],
    ['in C:\\Users\\ALICEL~1\\AppData', 'in C:\\Users\\user\\AppData'],
    ['see file:///home/alice.liddell/x', 'see file:///home/user/x'],
    ['see %2FUsers%2Falice.liddell%2Fx', 'see %2FUsers%2Fuser%2Fx'],
    ['on /run/media/alice.liddell/stick', 'on /run/media/user/stick'],
    ['at \\\\pc\\Users\\alice.liddell\\x', 'at \\\\pc\\Users\\user\\x'],
    ['in /cygdrive/c/Users/alice.liddell/x', 'in /cygdrive/c/Users/user/x'],
    ['in ~alice.liddell/x', 'in ~user/x'],
  ])('becomes neutral: %s', (text, expected) => {
    expect(sent(text)).toContain(expected)
  })

  it('is refused in a file only with the whole local part', () => {
    expect(found('<Relationship Target="file:///home/alice.liddell/a.png"/>')).toBe('leak')
    expect(found('{"path":"C:\\\\Users\\\\alice.liddell\\\\x"}')).toBe('leak')
    expect(found('{"path":"C:\\\\Users\\\\alice\\\\x"}')).toBeUndefined()
  })

  it.each([
    '/home/info/x',
    'C:\\Users\\a\\x',
    '/usr/lib/li',
    'https://site.example/users/alice.liddell',
    'https://site.example/~alice.liddell/',
    '/users/alice.liddell',
    '/home/alice.liddellx/',
  ])('does not match a similar word: %s', (text) => {
    const hidden = ['info@acme.example', 'a@gmail.example', 'li@x.example', person]
    expect(sent(text, hidden)).toBe(text)
    expect(found(text, hidden)).toBeUndefined()
  })
})

describe('an address split by lines or escapes', () => {
  it.each([
    'alice.\r\n| liddell@exam\r\n| ple.org',
    'alice.\r\n> > liddell@\r\n> > example.org',
    'alice.lid-\r\ndell@example.org',
  ])('is hidden: %j', (text) => {
    expect(sent(`| x\r\n| ${text}`, [person], 'text/plain')).toMatch(/b7kq3mzt9xpd@[\s>|]*relay\.example/)
  })

  it.each([
    'alice&period;liddell&commat;example&period;org',
    'alice.liddell&Tab;&NewLine;@example.org',
    'alice.liddell&#x0000040;example.org',
    'alice.liddell&#64example.org',
    'alice.liddell&af;@&NegativeThinSpace;example.org',
    'content:"alice.liddell\\40 example.org"',
    'content:"alice\\2eliddell\\40 example\\2eorg"',
  ])('is hidden: %s', (text) => {
    expect(sent(`at ${text} it`)).toMatch(/^at (content:")?b7kq3mzt9xpd/)
  })

  it.each(['&ascr;lice.liddell@example.org', '&aopf;&lopf;ice.liddell@example.org'])('is refused: %s', (text) => {
    expect(sent(`at ${text} it`)).toBe('leak')
  })
})

describe('an address in pieces', () => {
  it.each([
    '="alice.liddell"&"@"&"example.org"',
    "'alice.' || 'liddell@' || 'example.org'",
    'CONCATENATE("alice.liddell";"@example.org")',
    '=""alice.liddell""&CHAR(64)&""example.org""',
    'x<f>&quot;alice.liddell&quot;&amp;&quot;@example.org&quot;</f>',
    'A1,B1\nalice.liddell,example.org,"=A1&""@""&B1"',
    '<v>alice.liddell</v><v>example.org</v><f>_xlfn.CONCAT(A1,&quot;@&quot;,B1)</f>',
  ])('is refused in a file: %s', (text) => {
    expect(found(text)).toBe('leak')
    expect(found(text, ['robert@home.example'])).toBeUndefined()
  })
})

it('does not treat code that splits addresses as a formula', () => {
  expect(found('split(user, "@", 2) // alice.liddell at work, example.org')).toBeUndefined()
})

describe('a link or a token with the packed address', () => {
  const padded = `{"email":"${person}","next":"/a/very/long/way/to/go/somewhere"}`
  const zlib = deflateSync(padded)
  const raw = deflateRawSync(padded)
  it.each([
    ['zlib in a path', `https://x.example/svg/png/${zlib.toString('base64url')}`],
    ['raw deflate in a path', `https://x.example/svg/${raw.toString('base64url')}`],
    ['raw deflate, percent-encoded', `https://x.example/?q=${encodeURIComponent(raw.toString('base64'))}&x=1`],
    ['zlib behind a word', `session_id${zlib.toString('base64url')}`],
    ['hexadecimal digits', `id ${zlib.toString('hex')}`],
    ['JSON', JSON.stringify({ body: raw.toString('base64') }).replaceAll('/', '\\/')],
    ['quoted lines', raw.toString('base64').replace(/.{30}/g, '$&\r\n> ')],
    [
      'a percent-encoded data URL',
      `data:,${[...zlib].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    ],
    ['Brotli', `data:x;base64,${brotliCompressSync(padded).toString('base64')}`],
    ['a list of bytes', JSON.stringify([...Buffer.from(person)])],
    ['base64 twice', Buffer.from(zlib.toString('base64')).toString('base64')],
    [
      'a masked link',
      `<a data-cfemail="${Buffer.from([7, ...Buffer.from(person).map((byte) => byte ^ 7)]).toString('hex')}">`,
    ],
  ])('is refused: %s', (_, text) => {
    expect(sent(`See\r\n${text}\r\n`)).toBe('leak')
    expect(sent(`See\r\n${text}\r\n`, ['robert@home.example'])).not.toBe('leak')
  })

  it('is refused when its format cannot be opened', () => {
    const packed = Buffer.from(`28b52ffd204b0501${'0'.repeat(40)}`, 'hex').toString('base64')
    expect(sent(`data:x;base64,${packed}`)).toBe('packed')
  })
})

it('refuses a file that is one stream without a signature', () => {
  expect(found(brotliCompressSync(`${'x '.repeat(99)}${person}`))).toBe('leak')
  expect(found(deflateRawSync(`${'x '.repeat(99)}${person}`))).toBe('leak')
})
