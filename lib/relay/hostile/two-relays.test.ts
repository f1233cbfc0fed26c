import { expect, it } from 'vitest'
import { appMessage, fieldOf, openRelayTest, reverseOf } from '#lib/testing/relay/relay'
import { sendMessage } from '#lib/testing/relay/speak-smtp'

type Opened = Awaited<ReturnType<typeof openRelayTest>>

const bind = ({ prisma }: Opened, email: string) =>
  prisma.person.updateMany({ where: { username: 'ada' }, data: { email } })

const spf = [['v=spf1 ip4:127.0.0.1 -all']]

/** Passes a message that one relay has sent to its next hop on to the other relay. */
const carry = ({ hop }: Opened, to: Opened, at = 0) => {
  const { from = '', to: [address = ''] = [], raw = Buffer.alloc(0) } = hop.arrived[at] ?? {}
  return sendMessage(to.server.port, { from, to: address, message: raw, helo: 'hop.example' })
}

/** Opens two relays, each with an alias whose inbox is the other's alias. */
async function openTwo() {
  const [one, two] = [await openRelayTest(), await openRelayTest({ env: { RELAY_DOMAIN: 'hidden.example.com' } })]
  for (const { zone } of [one, two]) {
    zone['TXT relay.example.net'] = spf
    zone['TXT hidden.example.com'] = spf
    zone['TXT hop.example'] = spf
  }
  await bind(one, two.alias)
  await bind(two, one.alias)
  return { one, two }
}

it('stops a message between two relays after one round', async () => {
  const { one, two } = await openTwo()
  expect(await one.send()).toMatchObject({ code: 250 })
  expect(await carry(one, two)).toMatchObject({ code: 250 })
  expect(await carry(two, one)).toMatchObject({ code: 554, text: expect.stringMatching(/^5\.4\.6/) })
  expect([one.hop.arrived.length, two.hop.arrived.length]).toEqual([1, 1])
})

it('stops an out-of-office reply on either side', async () => {
  const { one, two } = await openTwo()
  await one.send()
  await carry(one, two)
  const [arrived] = two.hop.arrived
  const note = (head: string) =>
    appMessage('x', {
      head: `${head}In-Reply-To: ${fieldOf(arrived?.raw, 'Message-ID')}\r\n`,
      body: 'Away.\r\n',
      from: `<${one.alias}>`,
    })
  for (const to of [arrived?.from ?? '', reverseOf(arrived?.raw)])
    for (const from of ['', one.alias]) {
      const said = await two.send({ from, to, message: note('Auto-Submitted: auto-replied\r\n') })
      expect([250, 550]).toContain(said.code)
    }
  expect([one.hop.arrived.length, two.hop.arrived.length]).toEqual([1, 1])
})
