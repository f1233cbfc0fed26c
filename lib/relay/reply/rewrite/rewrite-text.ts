import type { Parameterized } from '#lib/relay/mime/parameters'
import type { OwnWords } from '#lib/relay/quote/own-words'
import { setAside } from '#lib/relay/quote/set-aside'

export type TextRules = { hide(text: string): string; contentIds: Map<string, string>; own?: OwnWords | undefined }

/** A text as it leaves, and as the leak gate judges it: without the app's own words. */
export type RewrittenText = { text: string; judged: string }

/**
 * A text of the reply with the addresses hidden, the parts called by their new names, and no paths of the person's machine; the
 * app's own words stay as they are. Undefined for a text that is too long.
 */
export function rewriteText(
  text: string,
  { first, parameters }: Parameterized,
  { hide, contentIds, own }: TextRules,
): RewrittenText | undefined {
  const isJoined = first === 'text/plain' && /^yes$/i.test(parameters.get('delsp') ?? '')
  const lines = text.replaceAll('\0', '').replace(/\r\n|\r|\n/g, '\r\n')
  const joined = isJoined ? joinFlowed(lines) : lines
  const parted = own ? own.inText(joined, first === 'text/html') : setAside(joined, [])
  if (!parted) return undefined
  const { rest, putBack } = parted
  const judged = hide(renameParts(first === 'text/plain' ? rest : withoutLocalUrls(rest), contentIds))
  return { text: putBack(judged), judged }
}

/** RFC 3676 §4 with DelSp: an address may be cut by a space and a line break, and one line is what is meant. */
function joinFlowed(text: string): string {
  const joined: string[] = []
  let open: string | undefined
  for (const line of text.split('\r\n')) {
    const [, quotes = '', content = ''] = /^(>*) ?(.*)$/s.exec(line) ?? []
    // The dashes before a signature end with a blank and go on nowhere.
    const goesOn = content.endsWith(' ') && content !== '-- '
    const words = goesOn ? content.slice(0, -1) : content
    if (open === quotes && content !== '-- ') joined.push((joined.pop() ?? '') + words)
    else joined.push(quotes && words ? `${quotes} ${words}` : quotes + words)
    open = goesOn ? quotes : undefined
  }
  return joined.join('\r\n')
}

/** A part that is not there keeps no name: it would be that of a message of the person's. */
function renameParts(text: string, contentIds: Map<string, string>): string {
  return text.replace(/\bcid:([^\s"'<>()[\]\\]+)/gi, (whole, written: string) => {
    const id = written.replace(/%40|&#64;|&#x40;|&commat;/gi, '@')
    const name = contentIds.get(id) ?? contentIds.get(written) ?? contentIds.get(unpercent(written))
    return name ? `cid:${name}` : id.includes('@') ? 'cid:missing' : whole
  })
}

function unpercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Without what a client shows from its own store: file:///home/…, imap://user@host/…, mailbox:///…. Whatever the attribute is
 * called (`srcset` and `originalsrc` hold such addresses too), it goes to the end of its value, which can have blanks in it.
 */
const withoutLocalUrls = (html: string): string =>
  html
    .replace(localValue, (_, start: string, mark = '') => `${start}${mark}about:blank${mark}`)
    .replace(localInStyle, '$1about:blank$2')

// A drive (`C:\\Users`) looks like a scheme of one letter.
const scheme = String.raw`(?:(?:file|mailbox(?:-message)?|imap(?:-message)?|imaps|pop3?|ews|ews-message|x-msg|message|mid|applewebdata|blob|x-apple-[\w-]+):(?=\S)|[a-z]:[\\/])`
/** At the start of a value, or behind a comma, as in a list of pictures. */
const localValue = new RegExp(
  String.raw`([\s"'/][\w:-]{1,40}\s*=\s*)(?:(["'])\s*(?:(?:(?!\2)[^<>]){0,1000}?,\s*)?${scheme}(?:(?!\2)[^<>])*\2|${scheme}[^"'>\s]*)`,
  'gi',
)
const quote = '(?:["\']|&quot;|&#39;)?'
const localInStyle = new RegExp(String.raw`(url\(\s*${quote}\s*)${scheme}[^"')]*?(${quote}\s*\))`, 'gi')
