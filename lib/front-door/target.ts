import { Refusal } from './refusal.ts'

/** The path of a request target in origin form (RFC 9112 §3.2.1); anything else is refused, never guessed at. */
export function pathOf(target: string): string {
  if (!target.startsWith('/') || target.startsWith('//') || target.includes('\\')) throw unparsable()
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  try {
    if (decodeURIComponent(path).includes('\0')) throw unparsable()
  } catch {
    throw unparsable()
  }
  return path
}

const unparsable = () => new Refusal(400, 'The request target cannot be read.')
