/** Returns the line of a key in a JSON text. If a key occurs twice, returns the second line, as JSON.parse uses that one. */
export function lineOf(json: string, keys: readonly string[]): number | undefined {
  const here: string[] = []
  let depth = 0
  let line: number | undefined
  for (const { 0: token, 1: colon, index } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === '{') depth++
    else if (token === '}') depth--
    here.length = Math.min(here.length, Math.max(depth, 0))
    if (colon === undefined) continue
    here[depth - 1] = JSON.parse(token.slice(0, -colon.length))
    here.length = depth
    if (depth === keys.length && keys.every((key, at) => key === here[at]))
      line = json.slice(0, index).split('\n').length
  }
  return line
}
