/** A block of a page of the docs. The docs are our own, so only the Markdown that they use is read. */
export type Block =
  | { kind: 'heading'; level: number; id: string; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; text: string }

/** A stretch of text in a line. */
export type Inline = { kind: 'text' | 'code' | 'strong'; text: string } | { kind: 'link'; text: string; href: string }

/** Reads the blocks of a page. */
export function readBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  while (lines.length > 0) {
    const line = lines[0] as string
    if (line.trim() === '') lines.shift()
    else if (/^\s*```/.test(line)) blocks.push(readCode(lines))
    else if (/^#{1,6} /.test(line)) blocks.push(readHeading(lines.shift() as string))
    else if (line.startsWith('|')) blocks.push(readTable(lines))
    else if (listItem.test(line)) blocks.push(readList(lines))
    else blocks.push({ kind: 'paragraph', text: takeText(lines) })
  }
  return blocks
}

const listItem = /^(?:-|\d+\.) +/

/** Returns the anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

function readHeading(line: string): Block {
  const [, marks = '', text = ''] = /^(#+) +(.*)$/.exec(line) ?? []
  return { kind: 'heading', level: marks.length, id: anchorOf(text), text }
}

function readCode(lines: string[]): Block {
  lines.shift()
  const end = lines.findIndex((line) => /^\s*```/.test(line))
  const code = lines.splice(0, end === -1 ? lines.length : end)
  lines.shift()
  return { kind: 'code', text: code.join('\n') }
}

function readTable(lines: string[]): Block {
  const end = lines.findIndex((line) => !line.startsWith('|'))
  const [head = [], , ...rows] = lines.splice(0, end === -1 ? lines.length : end).map(readCells)
  return { kind: 'table', head, rows }
}

/** Splits a row of a table at its bars, except escaped ones. */
const readCells = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function readList(lines: string[]): Block {
  const isOrdered = /^\d/.test(lines[0] as string)
  const items: string[] = []
  while (listItem.test(lines[0] ?? '')) {
    lines[0] = (lines[0] as string).replace(listItem, '')
    items.push(takeText(lines))
  }
  return { kind: 'list', isOrdered, items }
}

/** Takes the lines up to the next block, as one text. */
function takeText(lines: string[]): string {
  const first = lines.shift() as string
  const rest = lines.findIndex(
    (line) => line.trim() === '' || /^(?:#{1,6} |\||\s*```)/.test(line) || listItem.test(line),
  )
  return [first, ...lines.splice(0, rest === -1 ? lines.length : rest)].map((line) => line.trim()).join(' ')
}

/** Splits a text into code, bold text, links and plain text. */
export function readInlines(text: string): Inline[] {
  const found: Inline[] = []
  let end = 0
  for (const match of text.matchAll(
    /`([^`]+)`|\*\*?(.+?)\*\*?|\[((?:`[^`]*`|[^\]`])+)\]\(([^)]+)\)|<(https?:[^>]+)>/g,
  )) {
    const [whole, code, strong, label, href, address] = match
    if (match.index > end) found.push({ kind: 'text', text: text.slice(end, match.index) })
    if (code !== undefined) found.push({ kind: 'code', text: code })
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong })
    else if (label !== undefined) found.push({ kind: 'link', text: label.replaceAll('`', ''), href: href ?? '' })
    else found.push({ kind: 'link', text: address ?? '', href: address ?? '' })
    end = match.index + whole.length
  }
  if (end < text.length) found.push({ kind: 'text', text: text.slice(end) })
  return found
}
