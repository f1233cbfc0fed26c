import { escapeHtml } from '#lib/text/escape-html'
import { paint, styleSheet } from './letter-style.ts'

/** What a letter says, in the order it is read; who renders it knows nothing of what it is about. */
export type Words = {
  subject: string
  heading: string
  paragraphs: string[]
  /** To be typed on a page. */
  code?: string
  facts?: [name: string, value: string][]
  action?: { label: string; url: string }
  /** What to do when it was somebody else. */
  warning: string
  small: string[]
}

/** Who writes, and in which language. */
export type Letterhead = { service: string; url: string; locale: string }

/** The letter without any markup: complete in itself, and what is read out. */
export function writeText(words: Words, { service, url, locale }: Letterhead): string {
  const { heading, paragraphs, code, facts = [], action, warning, small } = words
  const parts = [
    heading,
    ...paragraphs.slice(0, 1),
    code && `    ${code}`,
    ...paragraphs.slice(1),
    facts.map(([name, value]) => `${name}${locale === 'en' ? ': ' : '：'}${value}`).join('\n'),
    warning,
    action && `${action.label}:\n${action.url}`,
    `-- \n${[service, url, ...small].join('\n')}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** The same with a quiet look of its own: one column, inline styles, light and dark, no picture to be fetched. */
export function writeHtml(words: Words, { service, url, locale }: Letterhead): string {
  const { heading, paragraphs, code, facts = [], action, warning, small } = words
  const [first, ...others] = paragraphs.map((text) => `<p ${paint('text', 'ink')}>${escapeHtml(text)}</p>`)
  const rows = facts.map(([name, value]) => row(name, value)).join('')
  const sheet = [
    `<h1 ${paint('heading', 'ink')}>${escapeHtml(heading)}</h1>`,
    first,
    // Selected as a whole by one tap; a telephone number it is not.
    code &&
      `<p ${paint('codeBox', 'sunken')}><code translate="no" ${paint('code', 'ink')}>${escapeHtml(code)}</code></p>`,
    ...others,
    rows && `<table role="presentation" cellpadding="0" cellspacing="0" ${paint('facts')}>${rows}</table>`,
    `<p ${paint('warning', 'soft line')}>${escapeHtml(warning)}</p>`,
    action &&
      `<p ${paint('action')}><a href="${escapeHtml(action.url)}" ${paint('button', 'button')}>${escapeHtml(action.label)}</a></p>`,
  ]
  return `<!doctype html>
<html lang="${locale}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(words.subject)}</title>
<style>${styleSheet}</style>
</head>
<body ${paint('body', 'ground', locale)}>
<div ${paint('preview')}>${escapeHtml(heading)}${filler}</div>
<div lang="${locale}" role="article" aria-label="${escapeHtml(words.subject)}" ${paint('column', '', locale)}>
<p ${paint('name', 'green')}><span aria-hidden="true" ${paint('gate', 'gate')}></span>${escapeHtml(service)}</p>
<div ${paint('sheet', 'sheet line')}>
${sheet.filter(Boolean).join('\n')}
</div>
<p ${paint('small', 'soft')}>${small.map(escapeHtml).join('<br>')}<br><a href="${escapeHtml(url)}" ${paint('link', 'soft')}>${escapeHtml(new URL(url).host)}</a></p>
</div>
</body>
</html>
`
}

/** What mail programs and locked screens show beside the subject ends here: the code stays inside the letter. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(100)

const row = (name: string, value: string) =>
  `<tr><td ${paint('factName', 'soft line')}>${escapeHtml(name)}</td><td ${paint('fact', 'ink line')}>${escapeHtml(value)}</td></tr>`
