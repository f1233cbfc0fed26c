/**
 * A page without those comments and tags that hold a `>` or are very long, or undefined when it has none: a pattern would have
 * to look for the end of each from every `<`. One that never ends is not shown, nor is what follows it.
 */
export function withoutOddTags(html: string): string | undefined {
  const kept: string[] = []
  let from = 0
  for (let start = html.indexOf('<'); start !== -1; ) {
    const end = endOf(html, start)
    if (end === -1) break
    if (end - start > longest || holdsBracket(html, start + 1, end - 1)) {
      kept.push(html.slice(from, start))
      from = end
    }
    start = html.indexOf('<', end)
  }
  return from === 0 ? undefined : kept.join('') + html.slice(from)
}

const longest = 1000

function holdsBracket(html: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (html[at] === '<' || html[at] === '>') return true
  return false
}

/** Where what begins with this `<` is over as browsers see it: a comment, a tag, or a character like any other. */
function endOf(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    commentEnd.lastIndex = start + 2
    return commentEnd.test(html) ? commentEnd.lastIndex : -1
  }
  return /^<\/?[a-z]/i.test(html.slice(start, start + 3)) ? endOfTag(html, start) : start + 1
}

const commentEnd = /--!?>/g

function endOfTag(html: string, start: number): number {
  tagMarks.lastIndex = start
  for (let found = tagMarks.exec(html); found; found = tagMarks.exec(html)) {
    if (found[0] === '>') return tagMarks.lastIndex
    // A quote anywhere else is a letter of a name.
    if (!/=\s*$/.test(html.slice(Math.max(start, found.index - 9), found.index))) continue
    const end = html.indexOf(found[0], tagMarks.lastIndex)
    if (end === -1) return -1
    tagMarks.lastIndex = end + 1
  }
  return -1
}

const tagMarks = /[>"']/g
