import { describe, expect, it } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { received } from '#lib/testing/relay/forward'
import { checkHead, loopMark, makeReceived } from './head.ts'

const key = Buffer.alloc(32, 1)
const mark = loopMark(key, 'kx7m2p9qrstv@relay.example')
const check = (...lines: string[]) => checkHead(readFields(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)), mark)

describe('the header block of a message to an alias', () => {
  it('returns its author', () => {
    expect(check('From: Acme <a@acme.example>', 'Reply-To: b@acme.example')).toEqual({
      kind: 'sound',
      from: { address: 'a@acme.example', name: 'Acme' },
    })
  })

  it.each([
    ['no From at all', 'no_from', ['Subject: x']],
    ['an empty From', 'no_from', ['From:']],
    ['a From without an address', 'no_from', ['From: Acme']],
    ['a group', 'no_from', ['From: Us: a@acme.example, b@acme.example;']],
    ['two addresses in one From', 'several_from', ['From: a@acme.example, b@acme.example']],
    ['two From fields', 'several_from', ['From: a@acme.example', 'From: a@acme.example']],
    ['a second From in capitals and with a space', 'several_from', ['FROM : b@acme.example', 'From: a@acme.example']],
    ['a second From with a folded name', 'several_from', ['From: a@acme.example', 'From\r\n : b@acme.example']],
    ['a From in a continuation line at the start', 'several_from', [' From: b@acme.example', 'From: a@acme.example']],
    ['only a From with a folded name', 'no_from', ['From\r\n : b@acme.example']],
  ])('rejects %s: %s', (_what, kind, lines) => expect(check(...lines)).toEqual({ kind }))

  it('accepts 50 hops and rejects 51 as a loop', () => {
    const hops = (count: number) => Array<string>(count).fill('Received: from a by b; Fri, 20 Nov 2026 04:05:06 +0000')
    expect(check('From: a@acme.example', ...hops(50)).kind).toBe('sound')
    expect(check('From: a@acme.example', ...hops(51)).kind).toBe('loop')
  })

  it('is a loop with the mark of the same alias, but not of another alias', () => {
    const other = loopMark(key, 'b2c3d4e5f6g7@relay.example')
    expect(check('From: a@acme.example', other.raw).kind).toBe('sound')
    expect(check('From: a@acme.example', other.raw, mark.raw).kind).toBe('loop')
    expect(check('From: a@acme.example', mark.raw.replace('X-Relay-Loop: ', 'x-relay-loop:\r\n ')).kind).toBe('loop')
  })

  it('has a mark that ignores case, depends on the key, and does not reveal the alias', () => {
    expect(loopMark(key, 'KX7M2P9QRSTV@relay.example')).toEqual(mark)
    expect(loopMark(Buffer.alloc(32, 2), 'kx7m2p9qrstv@relay.example')).not.toEqual(mark)
    expect(mark.raw).toMatch(/^X-Relay-Loop: [\w-]{22}$/)
  })
})

const hop = {
  helo: 'mx.acme.example',
  address: '2001:db8::25',
  by: 'relay.example',
  protocol: 'ESMTP' as const,
  id: '5f0c1d2e',
  alias: 'kx7m2p9qrstv@relay.example',
  now: new Date('2026-11-20T04:05:06Z'),
}

describe('the Received field', () => {
  it('names the client, the server, the protocol, the alias and the time in UTC', () => {
    expect(received.raw.replaceAll('\r\n', '')).toBe(
      'Received: from mx.acme.example ([192.0.2.25]) by relay.example with ESMTPS id 5f0c1d2e' +
        ' for <kx7m2p9qrstv@relay.example>; Fri, 20 Nov 2026 04:05:06 +0000',
    )
  })

  it('tags an IPv6 address', () => {
    expect(makeReceived(hop).raw).toContain('from mx.acme.example ([IPv6:2001:db8::25])\r\n')
  })

  it.each([
    ['a\r\nBcc: b@c.example', 'aBcc:bc.example'],
    ['[192.0.2.9]', '[192.0.2.9]'],
    ['(;"\u00e9<>', 'unknown'],
    ['', 'unknown'],
  ])('writes a client’s name %j as %s', (helo, written) => {
    expect(makeReceived({ ...hop, helo }).raw).toContain(`from ${written} (`)
  })
})
