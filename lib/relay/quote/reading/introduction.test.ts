import { expect, it } from 'vitest'
import { readPlain } from './read-plain.ts'

const address = 'r-abcdefghjkmnpqrstuvw@relay.example'
const words = 'Hi,\nwhere is parcel 1Z999AA10123456784?\nThanks\n'

it.each([
  ['Yahoo', `    On Friday, November 20, 2026 at 10:00:00 AM GMT+1, Acme <${address}> wrote:  \n`],
  ['Gmail, over two lines', `On Fri, Nov 20, 2026 at 10:00 AM Acme <\n${address}> wrote:\n`],
  ['Outlook', `________________________________\nFrom: Acme <${address}>\nSent: Friday\nTo: you\nSubject: Order 7\n`],
  ['Foxmail', `发件人： Acme <${address}>\n发送时间： 2026-11-20 10:00\n收件人： you\n主题： Order 7\n`],
])('reads text directly above an introduction of %s as the person’s', (_, introduction) => {
  const { unquoted, introductions } = readPlain(`${words}${introduction}\nThe order`, { addresses: [address] })
  expect(unquoted.map(({ text }) => text)).toEqual([words, introduction])
  expect(introductions.map(({ text }) => text)).toEqual([introduction])
})

it('reads a first line with an address as an introduction', () => {
  const line = `Acme <${address}> schrieb:\n`
  expect(readPlain(`${line}> The order`, { addresses: [address] }).introductions.map(({ text }) => text)).toEqual([
    line,
  ])
})
