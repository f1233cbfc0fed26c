import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docsPage } from '#lib/console/paths'
import { type Block, readBlocks } from './markdown.ts'

/** The pages of the docs that the console shows. */
const pages = ['integrate', 'clients', 'console', 'standards', 'specification']

const read = new Map<string, Promise<Block[]>>()

/** Returns a page of the docs in blocks; undefined if the console does not show it. Each page is read once. */
export function readDocs(page: string): Promise<Block[]> | undefined {
  if (!pages.includes(page)) return undefined
  const known = read.get(page)
  if (known !== undefined) return known
  const blocks = readFile(join(process.cwd(), 'docs', `${page}.md`), 'utf8').then(readBlocks)
  read.set(page, blocks)
  // A page that could not be read is read again.
  blocks.catch(() => read.delete(page))
  return blocks
}

/** Returns a text of the docs with the name of the service in place of ours. */
export const namedInDocs = (text: string, serviceName: string): string =>
  text.replace(/\bPostern\b/g, () => serviceName)

/** Like `namedInDocs`, for code, where a quotation mark or a line break of a name could end a string. */
export const namedInCode = (code: string, serviceName: string): string =>
  namedInDocs(code, serviceName.replace(/['"`\\]/g, ''))

/** Returns the address of a link in the docs; undefined for a file that the console does not show. */
export function linkInDocs(href: string): string | undefined {
  if (/^https?:/.test(href)) return href
  if (href.startsWith('#')) return href
  const [, page = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return pages.includes(page) ? docsPage(`${page}${anchor}`) : undefined
}
