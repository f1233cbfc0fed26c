import { Refusal } from './refusal.ts'

/** The path of a request target in origin form (RFC 9112 §3.2.1); anything else is refused, never guessed at. */
export function pathOf(target: string): string {
  // Bytes beyond ASCII have no meaning in a target, and would be guessed at (RFC 3986 §2).
  if (!target.startsWith('/') || target.startsWith('//') || /[^\x21-\x7e]/.test(target)) throw unparsable()
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (path.includes('\\')) throw unparsable()
  try {
    if (decodeURIComponent(path).includes('\0')) throw unparsable()
  } catch {
    throw unparsable()
  }
  return path
}

const unparsable = () => new Refusal(400, 'The request target cannot be read.')
