import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { messagesFor, readMessagesAgain } from './messages.ts'

const english = textsOf(messagesFor('en'))
/** The phrases that docs/wording.md rules out, as far as a pattern can find them. */
const faults = {
  en: /\b(anew|anybody|cannot|nobody|somebody|whoever)\b|Problem:|'/,
  ja: /だれ|ひとつ|一つ|かまいません|作り手|ブラウザー|あとから|伝わ|問題があります/,
  'zh-CN': /(?<!邮箱|IP )地址|写信|寄|代号|转发地址|有问题|绑定|账户/,
  'zh-TW': /(?<!郵件|隱藏|IP |這些)地址|寫信|信件|代號|轉寄地址|有問題|綁定|大頭貼照|隱藏郵件|帳戶|登錄/,
}
/** An interval takes its space, if any, from its own format: "0 秒前". */
const spacedAgo = /\{time\} 前/
const unspaced = /(\d|#)\p{Script=Han}|\p{Script=Han}\d/u

const others = {
  ja: textsOf(messagesFor('ja')),
  'zh-CN': textsOf(messagesFor('zh-CN')),
  'zh-TW': textsOf(messagesFor('zh-TW')),
}

describe.each(Object.entries(others))('messages in %s', (_locale, texts) => {
  it('have exactly the keys of English', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('use the placeholders and tags of English', () => {
    for (const [key, text] of english) expect([key, namesIn(texts.get(key) ?? '')]).toEqual([key, namesIn(text)])
  })
})

describe.each(Object.entries({ en: english, ...others }))('messages in %s', (locale, texts) => {
  it('avoid the terms that docs/wording.md rules out', () => {
    const ruledOut = faults[locale as keyof typeof faults]
    expect([...texts].filter(([, text]) => ruledOut.test(text))).toEqual([])
  })

  it('separate digits from Han characters by a space', () => {
    expect([...texts].filter(([, text]) => unspaced.test(text))).toEqual([])
  })

  it('write how long ago something was without a space after the time', () => {
    expect([...texts].filter(([, text]) => spacedAgo.test(text))).toEqual([])
  })

  it('say that there is no passkey instead of counting zero', () => {
    const said = texts.get('activity.secureFlow.factorsWhat')
    expect(said).toMatch(/\{passkeys, plural, =0 \{\D+\} /)
  })

  it('are neither empty nor padded', () => {
    expect([...texts].filter(([, text]) => text.trim() === '' || text.trim() !== text)).toEqual([])
  })

  it('do not name the service', () => {
    expect([...texts].filter(([, text]) => /postern/i.test(text))).toEqual([])
  })
})

function textsOf(node: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'string' ? [[`${path}${key}`, value] as const] : [...textsOf(value as object, `${path}${key}.`)],
    ),
  )
}

/**
 * Returns the names of arguments and rich-text tags. Plural cases are left out, because they differ between
 * languages.
 */
function namesIn(text: string): string[] {
  const found = [...text.matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`)
  return [...new Set(found)].sort()
}

it('are shared by all copies of the module', async () => {
  vi.resetModules()
  const copy = await import('./messages.ts')
  expect(copy.messagesFor('ja')).toBe(messagesFor('ja'))
})

it.each([
  ['is no JSON', (file: string) => writeFileSync(file, '{')],
  ['no such file', (file: string) => rmSync(file)],
])('stay as they are, and the error names the file: %s', (words, damage) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-messages-'))
  cpSync('messages', folder, { recursive: true })
  const file = join(folder, 'ja', 'core.json')
  damage(file)
  const before = messagesFor('ja')
  expect(() => readMessagesAgain(folder)).toThrow(words)
  expect(() => readMessagesAgain(folder)).toThrow(file)
  expect(messagesFor('ja')).toBe(before)
  rmSync(folder, { recursive: true })
})
