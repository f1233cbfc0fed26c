import { RefusedPart } from '#lib/relay/reply/reply-refusal'

/**
 * Returns a text without the OpenPGP signatures and keys in it (RFC 9580 §6.2), because both identify their owner. In
 * plain text, keeps a block quoted with `>`, because the app wrote it. Throws RefusedPart for an encrypted text.
 */
export function withoutArmor(text: string, isHtml: boolean): string {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, Math.max(at + 1, from))) {
    const block = isHtml || !isQuoted(text, at) ? blockAt(text, at) : undefined
    if (!block) continue
    // Keeps the tags inside the block, so that every element stays closed.
    const tags = isHtml ? (text.slice(at, block.end).match(/<[^<>]*>/g) ?? []) : []
    pieces.push(text.slice(from, at), block.note, ...tags)
    from = block.end
  }
  const rest = [...pieces, text.slice(from)].join('')
  return pieces.length > 0 && !isHtml ? rest.replace(/^- (?=-)/gm, '') : rest
}

const begin = '-----BEGIN PGP '
const label = /-----BEGIN PGP ([A-Z0-9 ,/]{3,40})-----/y
/** The first lines of a signed text name the hash algorithm and end with an empty line. */
const signedStart =
  /-----BEGIN PGP SIGNED MESSAGE-----(?:\s|<[^<>]*>)*(?:(?:Hash|Charset): [\w, -]{1,80}(?:\s|<[^<>]*>)*)*/y

const isQuoted = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 200), at)
  return /^[ \t]*>/.test(before.slice(before.lastIndexOf('\n') + 1))
}

function blockAt(text: string, at: number): { end: number; note: string } | undefined {
  label.lastIndex = at
  const [start, kind] = label.exec(text) ?? []
  if (start === undefined || kind === undefined) return undefined
  if (kind === 'SIGNED MESSAGE') {
    signedStart.lastIndex = at
    return { end: at + (signedStart.exec(text)?.[0] ?? start).length, note: '' }
  }
  const last = `-----END PGP ${kind}-----`
  const end = text.indexOf(last, at)
  if (kind.startsWith('MESSAGE')) throw new RefusedPart('pgp')
  if (end === -1) return undefined
  return { end: end + last.length, note: kind === 'SIGNATURE' ? '[signature removed]' : '[key removed]' }
}
