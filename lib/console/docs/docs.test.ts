import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { causes } from '#lib/console/failures/causes'
import { readBlocks, readInlines } from './markdown.ts'
import { linkInDocs, namedInCode, namedInDocs, readDocs } from './read-docs.ts'

const anchorsOf = async (page: string) =>
  ((await readDocs(page)) ?? []).flatMap((block) => (block.kind === 'heading' ? [block.id] : []))

it('has the section to which each cause of a failure links', async () => {
  const anchors: Record<string, string[]> = {
    integrate: await anchorsOf('integrate'),
    clients: await anchorsOf('clients'),
  }
  for (const docs of new Set(causes.map((one) => one.docs))) {
    const [page = '', anchor = ''] = docs.split('#')
    expect(anchors[page], docs).toContain(anchor)
  }
})

it('loses no line of the docs', async () => {
  const markdown = readFileSync('docs/integrate.md', 'utf8')
  const blocks = JSON.stringify(readBlocks(markdown))
  for (const line of markdown.split('\n')) {
    const words = line.replace(/^\s*(?:[-#|]+|\d+\.)\s*/, '').split(/[|`*]/)[0] as string
    if (!/^\s*```|^[-|\s]*$/.test(line)) expect(blocks).toContain(JSON.stringify(words.trim()).slice(1, -1))
  }
})

it('reads code, bold text and links in a line', () => {
  expect(readInlines('Set `a` **now**, see [`x`](integrate.md#y) at <https://a.example>.')).toEqual([
    { kind: 'text', text: 'Set ' },
    { kind: 'code', text: 'a' },
    { kind: 'text', text: ' ' },
    { kind: 'strong', text: 'now' },
    { kind: 'text', text: ', see ' },
    { kind: 'link', text: 'x', href: 'integrate.md#y' },
    { kind: 'text', text: ' at ' },
    { kind: 'link', text: 'https://a.example', href: 'https://a.example' },
    { kind: 'text', text: '.' },
  ])
})

it('shows no other file', () => {
  for (const page of ['../package', 'design/security', 'operate', '', 'constructor', 'integrate.md'])
    expect(readDocs(page)).toBeUndefined()
  expect(linkInDocs('../clients/libraries.ts')).toBeUndefined()
  expect(linkInDocs('javascript:alert(1)')).toBeUndefined()
  expect(linkInDocs('integrate.md#8-refreshing')).toBe('/console/docs/integrate#8-refreshing')
})

it('names the service in place of Postern', () => {
  expect(namedInDocs('Postern sends `"Postern User"`, postern no.', '$& Co.')).toBe(
    '$& Co. sends `"$& Co. User"`, postern no.',
  )
  expect(namedInCode("say('Postern says no')", "Bob's")).toBe("say('Bobs says no')")
})
