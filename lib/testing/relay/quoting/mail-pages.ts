export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] as string)

type Serialising = {
  prefixClasses?: boolean
  linkAddresses?: boolean
  word?: boolean
  indent?: boolean
  /** The reader's address, which a gateway adds to every link that it rewrites. */
  safeLinks?: string
}

const token = /<!--.*?-->|<(style|title|script)\b.*?<\/\1\s*>|<[/!]?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>|<|[^<]+/gis

/**
 * Serializes a page as a mail program does after parsing it: other attribute order, quotes and entities, no comments.
 */
export function serialise(html: string, how: Serialising): string {
  let isPreformatted = false
  return [...html.matchAll(token)]
    .map(([piece]) => {
      if (/^<(!|style|title|script|\/?(html|head|body|meta|link)\b)/i.test(piece)) return ''
      if (/^<pre\b/i.test(piece)) isPreformatted = true
      if (/^<\/pre\b/i.test(piece)) isPreformatted = false
      if (piece.startsWith('<') && piece.length > 1) return serialiseTag(piece, how)
      return serialiseText(piece, how, isPreformatted)
    })
    .join('')
}

function serialiseText(piece: string, how: Serialising, isPreformatted: boolean): string {
  const text = isPreformatted ? decode(piece) : decode(piece).replace(/[ \r\n\t]+/g, how.indent ? '\n      ' : ' ')
  const written = escapeHtml(text).replaceAll('&quot;', '"').replaceAll('\u00a0', '&nbsp;')
  if (!how.linkAddresses) return written
  return written.replace(
    /[\w.+-]+@[\w-]+\.[\w.-]*\w/g,
    (address) => `<a href="mailto:${address}" target="_blank">${address}</a>`,
  )
}

function serialiseTag(piece: string, how: Serialising): string {
  const [, slash = '', name = ''] = /^<(\/?)([a-z][^\s/>]*)/i.exec(piece) ?? []
  if (slash) return `</${name.toLowerCase()}>`
  const attributes = [
    ...piece.slice(name.length + 1).matchAll(/([^\s"'=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g),
  ].map(([, key = '', double, single, bare]): [string, string] => [
    key.toLowerCase(),
    decode(double ?? single ?? bare ?? ''),
  ])
  const kept = attributes
    .filter(([key]) => !(how.word && ['class', 'data-who', 'role'].includes(key)))
    .flatMap(([key, value]): [string, string][] => rewriteAttribute(name.toLowerCase(), key, value, how))
  const written = kept.toReversed().map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name.toLowerCase()}${written.join('')}>${how.word && /^p$/i.test(name) ? '<span lang="EN-GB">' : ''}`
}

function rewriteAttribute(tag: string, key: string, value: string, how: Serialising): [string, string][] {
  if (key === 'class' && how.prefixClasses) return [[key, value.replace(/\S+/g, 'm_-4711$&')]]
  if (key === 'style')
    return [
      [
        key,
        value
          .split(';')
          .map((one) => one.trim().replace(/\s*:\s*/, ': '))
          .filter(Boolean)
          .join('; '),
      ],
    ]
  if (tag === 'a' && key === 'href' && how.safeLinks && /^https?:/.test(value))
    return [
      [
        'href',
        `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(value)}&data=05%7C02%7C${encodeURIComponent(how.safeLinks)}%7C0abc%7C0def%7C0%7C0%7C63&sdata=xY%3D&reserved=0`,
      ],
      ['originalsrc', value],
      ['data-auth', 'NotApplicable'],
    ]
  return [[key, value]]
}

const decode = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|nbsp|auml|commat|zwnj));?/gi,
    (_, decimal, hexadecimal, name: string) => {
      if (decimal) return String.fromCodePoint(Number(decimal))
      if (hexadecimal) return String.fromCodePoint(Number.parseInt(hexadecimal, 16))
      return (
        { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', auml: 'ä', commat: '@', zwnj: '\u200c' }[
          name.toLowerCase()
        ] ?? ''
      )
    },
  )

type TextStyle = {
  link(text: string, href: string): string
  picture(alt: string): string
  bold: string
  item(at: number | undefined): string
}

export const gmailText: TextStyle = {
  link: (text, href) => (text === href ? text : `${text} <${href}>`),
  picture: (alt) => `[image: ${alt}]`,
  bold: '*',
  item: (at) => (at ? `   ${at}. ` : '   - '),
}
export const outlookText: TextStyle = {
  link: (text, href) => `${text}<${href}>`,
  picture: (alt) => `[${alt}]`,
  bold: '',
  item: (at) => (at ? `  ${at}.  ` : '  *   '),
}
export const appleText: TextStyle = {
  link: (text, href) => `${text} <${href}>`,
  picture: () => '<image.png>',
  bold: '',
  item: (at) => (at ? `${at}. ` : '• '),
}
export const thunderbirdText: TextStyle = {
  link: (text, href) => (text === href ? text : `${text} <${href}>`),
  picture: (alt) => alt && `[${alt}]`,
  bold: '*',
  item: (at) => (at ? ` ${at}. ` : ' * '),
}
export const lynxText: TextStyle = {
  link: (text) => text,
  picture: (alt) => `[${alt}]`,
  bold: '',
  item: (at) => (at ? `    ${at}. ` : '     * '),
}

/** Returns the plain text that a mail program derives from a page. */
export function textOf(html: string, style: TextStyle): string {
  const out: string[] = []
  const links: string[] = []
  const lists: (number | undefined)[] = []
  let isPreformatted = false
  for (const [piece] of html.matchAll(token)) {
    if (/^<(!|style|title|script)/i.test(piece)) continue
    if (!piece.startsWith('<') || piece.length === 1) {
      out.push(isPreformatted ? decode(piece) : decode(piece).replace(/[ \r\n\t]+/g, ' '))
      continue
    }
    const tag = /^<\/?[a-z0-9]+/i.exec(piece)?.[0].toLowerCase() ?? ''
    const attribute = (name: string) =>
      decode(new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(piece)?.slice(1).find(Boolean) ?? '')
    if (tag === '<a') links.push(attribute('href'), String(out.length))
    else if (tag === '</a' && links.length > 0) {
      const from = Number(links.pop())
      const href = links.pop() ?? ''
      const text = out.splice(from).join('')
      out.push(href === '' ? text : style.link(text, href))
    } else if (tag === '<img') out.push(style.picture(attribute('alt')))
    else if (tag === '<b' || tag === '</b') out.push(style.bold)
    else if (tag === '<ol') lists.push(0)
    else if (tag === '<ul') lists.push(undefined)
    else if (tag === '</ol' || tag === '</ul') lists.pop()
    else if (tag === '<li') {
      const count = lists.at(-1)
      if (count !== undefined) lists[lists.length - 1] = count + 1
      out.push(`\n${style.item(lists.at(-1))}`)
    } else if (tag === '<br') out.push('\n')
    else if (/^<\/?(p|div|table|tr|h\d|pre|ul)$/.test(tag)) out.push(tag === '</p' || tag === '<p' ? '\n\n' : '\n')
    else if (tag === '</td') out.push(' ')
    if (tag === '<pre') isPreformatted = true
    if (tag === '</pre') isPreformatted = false
  }
  return out
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
