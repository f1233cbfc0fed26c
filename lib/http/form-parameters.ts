type Collected = { values: Map<string, string>; repeated: string | undefined }

/**
 * Reads the known parameters of a form or query. A repeated parameter is named and has no value: two values are ambiguous.
 * Returns undefined when any part, known or not, has broken percent-encoding, invalid UTF-8 or NUL.
 */
export function collectParameters(text: string, known: ReadonlySet<string>): Collected | undefined {
  const values = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodePart(equals === -1 ? part : part.slice(0, equals))
    const value = decodePart(equals === -1 ? '' : part.slice(equals + 1))
    if (name === undefined || value === undefined) return undefined
    if (!known.has(name)) continue
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
    if (value !== '') values.set(name, value)
  }
  for (const name of repeated) values.delete(name)
  return { values, repeated: [...repeated][0] }
}

/** Decodes one application/x-www-form-urlencoded name or value (RFC 6749 appendix B); undefined when it is malformed. */
export function decodePart(part: string): string | undefined {
  const text = decode(part)
  // A raw U+FFFD was invalid UTF-8 on the wire; a percent-encoded one is the character itself.
  const isMalformed = text === undefined || text.includes('\0') || part.includes('\ufffd') || !text.isWellFormed()
  return isMalformed ? undefined : text
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
