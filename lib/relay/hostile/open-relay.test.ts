import { expect, it } from 'vitest'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

const ours = 'relay.example.net'

const foreign = [
  'victim@elsewhere.example',
  `victim%elsewhere.example@${ours}`,
  `elsewhere.example!victim@${ours}`,
  `"victim@elsewhere.example"@${ours}`,
  `"victim%elsewhere.example"@${ours}`,
  `@${ours}:victim@elsewhere.example`,
  `@${ours},@third.example:victim@elsewhere.example`,
  `victim@elsewhere.example@${ours}`,
  `${ours}!victim@elsewhere.example`,
  'victim@[127.0.0.1]',
  'victim@[IPv6:::1]',
  'victim@127.0.0.1',
  'victim@localhost',
  'postmaster@elsewhere.example',
  'victim',
  'root',
  `victim@${ours}.`,
  `victim@${ours}.elsewhere.example`,
  `victim@elsewhere.${ours}`,
  `victim@sub.${ours}`,
  'victim@',
  '@',
  ' ',
  '',
  'x'.repeat(300),
]

it('relays to no foreign address in any spelling', async () => {
  const { send, hop } = await openRelayTest()
  for (const to of foreign) expect([to, (await send({ to })).code]).toEqual([to, expect.toSatisfy(isRefusal)])
  expect(hop.arrived).toEqual([])
})

const isRefusal = (code: number) => code >= 500 && code < 600

it('accepts its domain in any case, and rejects an alias with quotes, a final dot or a tag', async () => {
  const { send, alias, hop } = await openRelayTest()
  const [name = ''] = alias.split('@')
  expect(await send({ to: `${name}@rElAy.ExAmPlE.nEt` })).toMatchObject({ code: 250 })
  // RFC 5321 §4.1.2: the relay ignores the source route; the rest is one of its addresses.
  expect(await send({ to: `@third.example:${alias}` })).toMatchObject({ code: 250 })
  for (const to of [`"${name}"@${ours}`, `${name}@${ours}.`, `${name}+x@${ours}`, `${name}%x@${ours}`])
    expect((await send({ to })).code).toBeGreaterThanOrEqual(500)
  expect(hop.arrived).toHaveLength(1)
})

it('rejects invalid and unsupported MAIL and RCPT parameters', async () => {
  const { server, alias } = await openRelayTest()
  const smtp = await speakSmtp(server.port)
  expect(await smtp.say('MAIL FROM:<news@acme.example>')).toMatchObject({ code: 503 })
  await smtp.say('EHLO mail.acme.example')
  for (const [parameters, code] of [
    [' SIZE=x', 501],
    [' SIZE=', 501],
    [' SIZE', 501],
    [' SIZE=-1', 501],
    [' SIZE=1e9', 501],
    [` SIZE=${'9'.repeat(21)}`, 501],
    [' BODY=BINARYMIME', 501],
    [' SMTPUTF8=1', 501],
    [' RET=HDRS', 555],
    [' AUTH=<>', 555],
    [' HOLDFOR=60', 555],
    [' REQUIRETLS', 530],
    ['', 250],
  ] as const)
    expect([parameters, (await smtp.say(`MAIL FROM:<news@acme.example>${parameters}`)).code]).toEqual([
      parameters,
      code,
    ])
  for (const parameter of ['NOTIFY=NEVER', 'ORCPT=rfc822;a@b.example', 'X=1'])
    expect(await smtp.say(`RCPT TO:<${alias}> ${parameter}`)).toMatchObject({ code: 555 })
  await smtp.say('RSET')
  expect(await smtp.say('MAIL FROM:<news@acme.example> SIZE=26214400 BODY=8BITMIME SMTPUTF8')).toMatchObject({
    code: 250,
  })
  expect(await smtp.say(`VRFY ${alias}`)).toMatchObject({ code: 252 })
  smtp.close()
})

it.each([26_214_401, 99_999_999, '9'.repeat(20)])('rejects SIZE=%s with its own text', async (size) => {
  const { server } = await openRelayTest()
  const smtp = await speakSmtp(server.port)
  await smtp.say('EHLO mail.acme.example')
  const tooLarge = { code: 552, text: '5.3.4 The message is too large' }
  expect(await smtp.say(`MAIL FROM:<a@b.example> SIZE=${size}`)).toEqual(tooLarge)
  expect(await smtp.say('MAIL FROM:<a@b.example> SIZE=26214400')).toMatchObject({ code: 250 })
  smtp.close()
})

it.each<[string, (test: Awaited<ReturnType<typeof openRelayTest>>) => Promise<object>]>([
  ['an unknown address', () => Promise.resolve({ to: `k7mabcdefghj@${ours}` })],
  ['a forged sender', () => Promise.resolve({ from: 'victim@elsewhere.example' })],
  [
    'a switched-off address',
    async ({ prisma }) => {
      await prisma.alias.updateMany({ data: { disabledAt: new Date() } })
      return {}
    },
  ],
  [
    'a DMARC failure',
    async ({ zone }) => {
      zone['TXT acme.example'] = [['v=spf1 -all']]
      return {}
    },
  ],
  [
    'a DMARC failure of From alone',
    ({ alias }) => Promise.resolve({ message: appMessage(alias, { from: 'x@example.org' }) }),
  ],
])('causes no backscatter for %s, with and without a sender', async (_, arrange) => {
  const opened = await openRelayTest()
  opened.zone['TXT elsewhere.example'] = [['v=spf1 -all']]
  const given = await arrange(opened)
  for (const from of [{}, { from: '' }]) expect((await opened.send({ ...given, ...from })).code).toBe(550)
  expect(opened.hop.arrived).toEqual([])
})
