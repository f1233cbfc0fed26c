import { escapeHtml } from '#lib/text/escape-html'
import { styleOf, styleSheet } from './letter-style.ts'

/** The words of a letter, in reading order. */
export type Words = {
  subject: string
  heading: string
  paragraphs: string[]
  /** The code to type on a page. */
  code?: string
  facts?: [name: string, value: string][]
  action?: { label: string; url: string }
  /** What to do if another person caused the letter. */
  warning: string
  small: string[]
}

/** The service that writes, and the language of the letter. */
export type Letterhead = { service: string; url: string; locale: string }

/** Returns the plain-text part; it is complete without the HTML part. */
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

/** Returns the HTML part: one column, inline styles, light and dark, no remote content. */
export function writeHtml(words: Words, { service, url, locale }: Letterhead): string {
  const { heading, paragraphs, code, facts = [], action, warning, small } = words
  const [first, ...others] = paragraphs.map((text) => `<p ${styleOf('text', 'ink')}>${escapeHtml(text)}</p>`)
  const rows = facts.map(([name, value]) => row(name, value)).join('')
  const sheet = [
    `<h1 ${styleOf('heading', 'ink')}>${escapeHtml(heading)}</h1>`,
    first,
    // One tap selects the whole code (user-select:all).
    code &&
      `<p ${styleOf('codeBox', 'sunken')}><code translate="no" ${styleOf('code', 'ink')}>${escapeHtml(code)}</code></p>`,
    ...others,
    rows && `<table role="presentation" cellpadding="0" cellspacing="0" ${styleOf('facts')}>${rows}</table>`,
    `<p ${styleOf('warning', 'soft line')}>${escapeHtml(warning)}</p>`,
    action &&
      `<p ${styleOf('action')}><a href="${escapeHtml(action.url)}" ${styleOf('button', 'button')}>${escapeHtml(action.label)}</a></p>`,
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
<body ${styleOf('body', 'ground', locale)}>
<div ${styleOf('preview')}>${escapeHtml(heading)}${filler}</div>
<div lang="${locale}" role="article" aria-label="${escapeHtml(words.subject)}" ${styleOf('column', '', locale)}>
<p ${styleOf('name', 'green')}><span aria-hidden="true" ${styleOf('gate', 'gate')}></span>${escapeHtml(service)}</p>
<div ${styleOf('sheet', 'sheet line')}>
${sheet.filter(Boolean).join('\n')}
</div>
<p ${styleOf('small', 'soft')}>${small.map(escapeHtml).join('<br>')}<br><a href="${escapeHtml(url)}" ${styleOf('link', 'soft')}>${escapeHtml(new URL(url).host)}</a></p>
</div>
</body>
</html>
`
}

/** Fills the preview that mail programs and lock screens show beside the subject, so that it does not contain the code. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(100)

const row = (name: string, value: string) =>
  `<tr><td ${styleOf('factName', 'soft line')}>${escapeHtml(name)}</td><td ${styleOf('fact', 'ink line')}>${escapeHtml(value)}</td></tr>`
