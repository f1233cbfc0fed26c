import { expect, it } from 'vitest'
import { keepHttpsLinks } from './rewrite-forward.ts'

const kept = (raw: string) => keepHttpsLinks({ name: 'list-unsubscribe', raw })?.raw

it.each([
  ['List-Unsubscribe: <https://a.example/u>', 'List-Unsubscribe: <https://a.example/u>'],
  ['List-Unsubscribe: <mailto:u@a.example>, <https://a.example/u>', 'List-Unsubscribe: <https://a.example/u>'],
  [
    'List-Unsubscribe: (web) <HTTPS://a.example/u> (or) <MailTo:u@a.example>',
    'List-Unsubscribe: <HTTPS://a.example/u>',
  ],
  ['List-Unsubscribe: <https://a.example/\r\n u?x=1>', 'List-Unsubscribe: <https://a.example/u?x=1>'],
  [
    'List-Unsubscribe: <https://a.example/1>, <https://a.example/2>',
    'List-Unsubscribe: <https://a.example/1>,\r\n <https://a.example/2>',
  ],
  ['List-Unsubscribe: <mailto:u@a.example>', undefined],
  ['List-Unsubscribe: <http://a.example/u>', undefined],
  ['List-Unsubscribe: https://a.example/u', undefined],
  ['List-Unsubscribe: <ma\r\n ilto:u@a.example>', undefined],
  [`List-Unsubscribe: <https://a.example/${'u'.repeat(1000)}>`, undefined],
  ['List-Post: NO', undefined],
])('turns %j into %j', (raw, left) => expect(kept(raw)).toBe(left))
