import { describe, expect, it } from 'vitest'
import en from '../../messages/en.json' with { type: 'json' }
import ja from '../../messages/ja.json' with { type: 'json' }
import zhCN from '../../messages/zh-CN.json' with { type: 'json' }
import zhTW from '../../messages/zh-TW.json' with { type: 'json' }

const english = textsOf(en)
const others = { ja: textsOf(ja), 'zh-CN': textsOf(zhCN), 'zh-TW': textsOf(zhTW) }

describe.each(Object.entries(others))('messages in %s', (_locale, texts) => {
  it('have the keys of English, no more and no fewer', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('use the placeholders and tags of English', () => {
    for (const [key, text] of english) expect([key, namesIn(texts.get(key) ?? '')]).toEqual([key, namesIn(text)])
  })
})

describe.each(Object.entries({ en: english, ...others }))('messages in %s', (_locale, texts) => {
  it('are never empty and never padded', () => {
    expect([...texts].filter(([, text]) => text.trim() === '' || text.trim() !== text)).toEqual([])
  })

  it('never name the service themselves', () => {
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

/** Argument names and rich-text tags; the cases of a plural differ between languages and do not count. */
function namesIn(text: string): string[] {
  const found = [...text.matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`)
  return [...new Set(found)].sort()
}
