/** Parses JSON that a person wrote. A syntax error is reported with its line and column. */
export function readJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false; message: string } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, message: 'is not JSON: the file is not UTF-8 text' }
  }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (fault) {
    const lines = text.slice(0, faultAt(text)).split('\n')
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
    return { ok: false, message: `is not JSON (${place}): ${reason(fault as Error)}` }
  }
}

/**
 * Returns the position of the syntax error: the length of the longest prefix that more text could still complete. The
 * parser's message does not always contain a position.
 */
function faultAt(text: string): number {
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (couldGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function couldGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return true
  } catch (fault) {
    const { message } = fault as Error
    const position = / at position (\d+)/.exec(message)?.[1]
    return position === undefined ? message === 'Unexpected end of JSON input' : Number(position) >= beginning.length
  }
}

/** Returns the parser's reason without its excerpt of the file, which may contain a password. */
function reason({ message }: Error): string {
  return message.replace(/ in JSON at position.*$|, (\.\.\.)?".*$/s, '').replace(' of JSON input', '')
}
