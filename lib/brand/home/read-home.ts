import { BrandFault } from '#lib/brand/brand-fault'

/** A part of a line: plain, emphasized, strong, or a link. */
export type Piece = { text: string; look?: 'em' | 'strong'; href?: string }

/** A block of the home page. */
export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; pieces: Piece[] }
  | { kind: 'paragraph'; pieces: Piece[] }
  | { kind: 'list'; items: Piece[][] }

/**
 * Reads home.md: headings (#, ##, ###), paragraphs, lists (-), *emphasis*, **strong** and [links](https://…). The page is made
 * from these blocks, so no HTML of the file reaches a browser; a file with HTML is refused, since its author expects it to.
 */
export function readHome(text: string, file: string): Block[] {
  const blocks: Block[] = []
  // Whether the next line continues the last block.
  let isOpen = false
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    const pieces = (words: string) => readPieces(words, (what) => new BrandFault(file, what, index + 1))
    const [, marks = '', title = ''] = /^(#{1,6}) +(.+)$/.exec(line) ?? []
    const item = /^[-*] +(.+)$/.exec(line)?.[1]
    const last = blocks.at(-1)
    if (line === '') isOpen = false
    else if (marks.length > 3) throw new BrandFault(file, 'write headings with #, ## or ###', index + 1)
    else if (title) {
      blocks.push({ kind: 'heading', level: marks.length as 1 | 2 | 3, pieces: pieces(title) })
      isOpen = false
    } else if (item !== undefined && isOpen && last?.kind === 'list') last.items.push(pieces(item))
    else if (item !== undefined) {
      blocks.push({ kind: 'list', items: [pieces(item)] })
      isOpen = true
    } else if (isOpen && last?.kind === 'paragraph') last.pieces.push({ text: ' ' }, ...pieces(line))
    else if (isOpen && last?.kind === 'list') last.items.at(-1)?.push({ text: ' ' }, ...pieces(line))
    else {
      blocks.push({ kind: 'paragraph', pieces: pieces(line) })
      isOpen = true
    }
  }
  if (blocks.length === 0)
    throw new BrandFault(file, 'the file is empty; remove it, or write a heading and a paragraph')
  return blocks
}

const pattern = /\*\*([^*]{1,500})\*\*|\*([^*]{1,500})\*|\[([^\]]{1,500})\]\(([^)\s]{1,1000})\)/g

function readPieces(line: string, refuse: (what: string) => BrandFault): Piece[] {
  if (/<[a-z/!?]/i.test(line)) throw refuse('HTML is not permitted; write Markdown')
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: whole, 1: strong, 2: em, 3: label, 4: href, index } of line.matchAll(pattern)) {
    if (index > from) pieces.push({ text: line.slice(from, index) })
    from = index + whole.length
    if (strong !== undefined) pieces.push({ text: strong, look: 'strong' })
    else if (em !== undefined) pieces.push({ text: em, look: 'em' })
    else if (label !== undefined && href !== undefined && isPermitted(href)) pieces.push({ text: label, href })
    else throw refuse('a link leads to https://…, mailto:… or a path of this host, such as /account')
  }
  if (from < line.length) pieces.push({ text: line.slice(from) })
  return pieces
}

/** Permits the web, mail, and paths of this host; two slashes or a backslash would lead to another host. */
const isPermitted = (href: string) =>
  /^\/(?![/\\])[^\\]*$/.test(href) || (/^(https:\/\/[^/]|mailto:)/.test(href) && URL.canParse(href))
