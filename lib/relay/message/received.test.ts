import { expect, it } from 'vitest'
import { received } from '#lib/testing/relay/forward'
import { makeReceived } from './received.ts'

const hop = {
  helo: 'mx.acme.example',
  address: '2001:db8::25',
  by: 'relay.example',
  protocol: 'ESMTP' as const,
  id: '5f0c1d2e',
  alias: 'kx7m2p9qrstv@relay.example',
  now: new Date('2026-11-20T04:05:06Z'),
}

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
