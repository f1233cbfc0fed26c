import type { Parameterized } from '#lib/relay/mime/header-fields'
import type { OwnWords } from '#lib/relay/quote/own-words'
import { setAside } from '#lib/relay/quote/set-aside'

export type TextRules = { hide(text: string): string; contentIds: Map<string, string>; own?: OwnWords | undefined }

/** A rewritten text, and the version for the leak gate, without the app's own text. */
export type RewrittenText = { text: string; judged: string }

/**
 * Returns a text of the reply with the addresses hidden, with the new Content-IDs and without local paths. The app's
 * own text stays unchanged. Returns undefined for a text that is too long.
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

/** Joins flowed lines (RFC 3676 §4 with DelSp), because a space and a line break may split an address. */
function joinFlowed(text: string): string {
  const joined: string[] = []
  let open: string | undefined
  for (const line of text.split('\r\n')) {
    const [, quotes = '', content = ''] = /^(>*) ?(.*)$/s.exec(line) ?? []
    // The signature separator ends with a space but does not continue on the next line.
    const goesOn = content.endsWith(' ') && content !== '-- '
    const words = goesOn ? content.slice(0, -1) : content
    if (open === quotes && content !== '-- ') joined.push((joined.pop() ?? '') + words)
    else joined.push(quotes && words ? `${quotes} ${words}` : quotes + words)
    open = goesOn ? quotes : undefined
  }
  return joined.join('\r\n')
}

/**
 * Renames the Content-IDs in a text. A reference to a missing part becomes `cid:missing`, because its id belongs to
 * another message of the person.
 */
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
 * Removes URLs of local storage: file:///home/…, imap://user@host/…, mailbox:///…. The attribute may have any name
 * (`srcset` and `originalsrc` contain such URLs too); the URL extends to the end of the value, because it may contain
 * spaces.
 */
const withoutLocalUrls = (html: string): string =>
  html
    .replace(localValue, (_, start: string, mark = '') => `${start}${mark}about:blank${mark}`)
    .replace(localInStyle, '$1about:blank$2')

// A drive (`C:\\Users`) looks like a scheme of one letter.
const scheme = String.raw`(?:(?:file|mailbox(?:-message)?|imap(?:-message)?|imaps|pop3?|ews|ews-message|x-msg|message|mid|applewebdata|blob|x-apple-[\w-]+):(?=\S)|[a-z]:[\\/])`
/** Matches at the start of a value, or after a comma as in a list of images. */
const localValue = new RegExp(
  String.raw`([\s"'/][\w:-]{1,40}\s*=\s*)(?:(["'])\s*(?:(?:(?!\2)[^<>]){0,1000}?,\s*)?${scheme}(?:(?!\2)[^<>])*\2|${scheme}[^"'>\s]*)`,
  'gi',
)
const quote = '(?:["\']|&quot;|&#39;)?'
const localInStyle = new RegExp(String.raw`(url\(\s*${quote}\s*)${scheme}[^"')]*?(${quote}\s*\))`, 'gi')
