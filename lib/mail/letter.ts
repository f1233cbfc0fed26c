import type { Brand } from '#lib/brand/read-brand'
import { escapeHtml } from '#lib/text/text-rules'
import { type Palette, palettesOf } from './letter-colours.ts'
import { logoId } from './post.ts'

/** The words of a letter, in reading order. */
export type Words = {
  subject: string
  heading: string
  paragraphs: string[]
  /** The code to type on a page. */
  code?: string
  facts?: [name: string, value: string][]
  action?: { label: string; url: string }
  /** The advice for an owner who did not cause the letter. */
  warning: string
  small: string[]
}

/** The service that writes, and the language of the letter. */
export type Letterhead = {
  service: string
  url: string
  locale: string
  brand: Pick<Brand, 'isOwn' | 'letterLogo' | 'look'>
}

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
export function writeHtml(words: Words, { service, url, locale, brand }: Letterhead): string {
  const { heading, paragraphs, code, facts = [], action, warning, small } = words
  const [light, dark] = palettesOf(brand)
  const styleOf = painterOf(light)
  const [first, ...others] = paragraphs.map((text) => `<p ${styleOf('text', 'ink')}>${escapeHtml(text)}</p>`)
  const rows = facts.map(([name, value]) => row(styleOf, name, value)).join('')
  const sheet = [
    `<h1 ${styleOf('heading', 'ink')}>${unbroken(escapeHtml(heading), styleOf('unbroken'))}</h1>`,
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
<style>${styleSheet(dark)}</style>
</head>
<body ${styleOf('body', 'ground', locale)}>
<div ${styleOf('preview')}>${escapeHtml(heading)}${filler}</div>
<div lang="${locale}" role="article" aria-label="${escapeHtml(words.subject)}" ${styleOf('column', '', locale)}>
${nameLine(styleOf, service, brand)}
<div ${styleOf('sheet', 'sheet line')}>
${sheet.filter(Boolean).join('\n')}
</div>
<p ${styleOf('small', 'soft')}>${small.map(escapeHtml).join('<br>')}<br><a href="${escapeHtml(url)}" ${styleOf('link', 'soft')}>${escapeHtml(new URL(url).host)}</a></p>
</div>
</body>
</html>
`
}

/**
 * Fills the preview that mail programs and lock screens show beside the subject, so that the preview does not contain
 * the code.
 */
const filler = '&#847;&zwnj;&nbsp;'.repeat(100)

/** The logo of the brand, or our mark beside the name. */
const nameLine = (styleOf: Painter, service: string, { letterLogo, isOwn }: Letterhead['brand']) => {
  if (letterLogo)
    return `<p ${styleOf('name')}><img src="cid:${logoId}" alt="${escapeHtml(service)}" height="32" ${styleOf('logo')}></p>`
  const mark = isOwn ? '' : `<span aria-hidden="true" ${styleOf('gate', 'gate')}></span>`
  return `<p ${styleOf('name', 'green')}>${mark}${escapeHtml(service)}</p>`
}

/** Keeps "e-mail" on one line, because a line would break at its hyphen. */
const unbroken = (html: string, style: string) => html.replaceAll(/e-mail/gi, `<span ${style}>$&</span>`)

const row = (styleOf: Painter, name: string, value: string) =>
  `<tr><td ${styleOf('factName', 'soft line')}>${escapeHtml(name)}</td><td ${styleOf('fact', 'ink line')}>${escapeHtml(value)}</td></tr>`

/**
 * Returns the function that writes the attributes of one part of a letter. Styles are inline, since many mail programs drop
 * style sheets; the class is for dark mode.
 */
function painterOf(palette: Palette) {
  const looks = looksOf(palette)
  return (part: keyof typeof looks, tone = '', locale = ''): string => {
    const face = locale ? `font-family:${faces[locale] ?? faces.en};` : ''
    return `${tone ? `class="${tone}" ` : ''}style="${face}${looks[part]}"`
  }
}

type Painter = ReturnType<typeof painterOf>

const looksOf = ({ paper, surface, sunken, line, ink, soft, accent, fill, onFill }: Palette) => ({
  body: `margin:0;padding:0;background:${paper};color:${ink};-webkit-text-size-adjust:100%`,
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  column: 'max-width:34rem;margin:0 auto;padding:28px 16px 40px;font-size:16px;line-height:1.6',
  name: `margin:0 0 16px 4px;color:${accent};font-size:17px;font-weight:650;line-height:22px`,
  gate: `display:inline-block;box-sizing:border-box;width:15px;height:18px;margin:0 9px -3px 0;border:2px solid ${accent};border-radius:8px 8px 2px 2px`,
  logo: 'display:block;height:32px;width:auto;max-width:240px;border:0',
  sheet: `padding:32px;border:1px solid ${line};border-radius:24px 24px 14px 14px;background:${surface}`,
  heading: `margin:0 0 14px;color:${ink};font-size:24px;font-weight:650;line-height:1.3;text-wrap:balance;word-break:auto-phrase`,
  unbroken: 'white-space:nowrap',
  text: `margin:0 0 16px;color:${ink}`,
  codeBox: `margin:22px 0;padding:18px 8px;border-radius:12px;background:${sunken};text-align:center`,
  code: `color:${ink};font-family:ui-monospace,'SF Mono',Consolas,'Liberation Mono',monospace;font-size:34px;font-weight:600;line-height:1.2;letter-spacing:0.16em;margin-right:-0.16em;-webkit-user-select:all;user-select:all`,
  facts: 'width:100%;margin:4px 0 12px;border-collapse:collapse;font-size:15px',
  factName: `padding:8px 16px 8px 0;border-top:1px solid ${line};color:${soft};vertical-align:top;white-space:nowrap`,
  fact: `width:100%;padding:8px 0;border-top:1px solid ${line};color:${ink};vertical-align:top;word-break:break-word`,
  warning: `margin:20px 0 0;padding:14px 0 0;border-top:1px solid ${line};color:${soft};font-size:15px`,
  action: 'margin:20px 0 2px',
  button: `display:inline-block;padding:11px 20px;border-radius:10px;background:${fill};color:${onFill};font-weight:600;text-align:center;text-decoration:none`,
  small: `margin:18px 4px 0;color:${soft};font-size:13px;line-height:1.6`,
  link: `color:${soft}`,
})

const faces: Record<string, string> = {
  en: "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  ja: "-apple-system,'Hiragino Sans','Yu Gothic UI','Yu Gothic',Meiryo,'Noto Sans CJK JP',sans-serif",
  'zh-CN': "-apple-system,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif",
  'zh-TW': "-apple-system,'PingFang TC','Microsoft JhengHei','Noto Sans CJK TC',sans-serif",
}

/** A style sheet for dark mode and narrow screens. Mail programs that drop it show the light inline styles. */
const styleSheet = ({ paper, surface, sunken, line, ink, soft, accent, fill, onFill }: Palette) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.sheet{padding:24px 20px !important}}
@media (prefers-color-scheme:dark){
.ground{background:${paper} !important}
.sheet{background:${surface} !important}
.ink{color:${ink} !important}
.soft{color:${soft} !important}
.line{border-color:${line} !important}
.sunken{background:${sunken} !important}
.green{color:${accent} !important}
.gate{border-color:${accent} !important}
.button{background:${fill} !important;color:${onFill} !important}
}
`
