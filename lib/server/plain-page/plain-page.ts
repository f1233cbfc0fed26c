import type { Theme } from '#lib/account/profile/page-look'
import { directionOf } from '#lib/brand/brand-texts'
import type { Brand } from '#lib/brand/read-brand'
import { isLocale, type Locale } from '#lib/text/messages'
import { escapeHtml } from '#lib/text/text-rules'

/** A whole page without Next and without scripts; `main` and `footer` are HTML. */
export function plainPage({ title, main, footer = '', locale, theme, serviceName, brand, nonce }: PlainPage): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}"${directionOf(locale) === 'rtl' ? ' dir="rtl"' : ''} data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">
<title>${escapeHtml(title)} · ${escapeHtml(serviceName)}</title>
<link rel="icon" href="data:,">
<style nonce="${escapeHtml(nonce)}">${css}${isLocale(locale) ? (faces[locale] ?? '') : ''}${plainLook(brand)}</style>
</head>
<body>
<header>${logoOf(brand)}<span>${escapeHtml(serviceName)}</span></header>
<main>
${main}
</main>
${footer}</body>
</html>
`
}

/** The content security policy of a plain page, which allows only the page's own style and `data:` images. */
export const plainPolicy = (nonce: string) =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`

type PlainPage = {
  title: string
  main: string
  footer?: string
  locale: string
  theme: Theme
  serviceName: string
  brand: Brand
  nonce: string
}

/** The icon of the brand as part of the page, which loads no other file; without a brand, our mark. */
function logoOf({ isOwn, pictures }: Brand): string {
  const icon = pictures['favicon.svg']
  if (icon)
    return `<img src="data:image/svg+xml;base64,${icon.bytes.toString('base64')}" alt="" width="28" height="28">`
  return isOwn ? '' : mark
}

/** The colours of the brand under the names of this page, its corners and its typeface. */
function plainLook({ isOwn, look: { colours, others } }: Brand): string {
  if (!isOwn) return ''
  const both = ([light, dark]: readonly [string, string]) => `light-dark(${light},${dark})`
  const rules = `--ground:${both(colours.ground)};--surface:${both(colours.surface)};--line:${both(colours.line)};--ink:${both(colours.ink)};--soft:${both(colours['ink-soft'])};--green:${both(colours.green)}`
  return `:root{${[rules, others].filter(Boolean).join(';')}}`
}

const mark = `<svg width="28" height="28" viewBox="0 0 32 32" fill="none" aria-hidden="true"><path stroke="currentColor" stroke-width="2.5" d="M6 28V14.5a10 10 0 0 1 20 0V28"/><path fill="currentColor" d="M4.75 28V14.5C4.75 9 9 6.8 16.6 7.2v23.6z"/></svg>`

// The tokens of app/tokens.css that a plain page needs. A plain page loads no other file.
const css = `
:root{color-scheme:light dark;--ground:light-dark(oklch(.972 .009 88),oklch(.19 .012 165));--surface:light-dark(oklch(.994 .004 88),oklch(.232 .014 165));--line:light-dark(oklch(.893 .014 88),oklch(.325 .016 165));--ink:light-dark(oklch(.265 .018 165),oklch(.935 .012 95));--soft:light-dark(oklch(.435 .018 150),oklch(.775 .016 110));--green:light-dark(oklch(.385 .065 163),oklch(.845 .075 158))}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
html{background:var(--ground);color:var(--ink)}
body{margin:0;font:1rem/1.55 var(--latin,-apple-system,"Segoe UI Variable Text","Segoe UI",Roboto,Inter,Ubuntu,Cantarell,"Noto Sans"),var(--cjk,"Liberation Sans"),sans-serif;overflow-wrap:break-word}
:lang(ja),:lang(zh){line-height:1.75;line-break:strict;--tight:1.4}
header{display:flex;align-items:center;gap:.5rem;max-width:72rem;margin:0 auto;padding:1.5rem;font-size:1.25rem;font-weight:600;line-height:1.2;letter-spacing:-.028em}
header svg{flex:none;color:var(--green)}
main{width:calc(100% - 2rem);max-width:26rem;margin:clamp(1rem,8vh,5.5rem) auto 2rem;padding:2rem;border:1px solid var(--line);--c:var(--corner-l,1rem);border-radius:calc(1.75*var(--c)) calc(1.75*var(--c)) var(--c) var(--c);background:var(--surface)}
h1{margin:0;font-size:1.5rem;font-weight:600;line-height:var(--tight,1.22);text-wrap:balance}
h1:lang(ja){word-break:auto-phrase}
h1:lang(zh){word-break:keep-all;overflow-wrap:anywhere}
p{margin:.75rem 0 0;text-wrap:pretty}
.gate{display:block;width:11rem;margin-bottom:1.25rem;fill:none;stroke-linecap:round;stroke-linejoin:round}
.gate .wall{fill:var(--ground)}
.gate .thin{stroke:var(--line);stroke-width:3}
.gate .big{fill:var(--surface);stroke:var(--line);stroke-width:5}
.gate .arch{stroke:var(--green);stroke-width:5}
.request{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
code{font-family:ui-monospace,"SF Mono","Cascadia Mono",Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere;user-select:all}
ul{margin:.75rem 0 0;padding-inline-start:1.25rem}
a{color:var(--green)}
a:focus-visible{outline:3px solid var(--green);outline-offset:2px;border-radius:.25rem}
h2{margin:1.5rem 0 0;font-size:1rem;font-weight:600}
nav{max-width:26rem;margin:0 auto 2rem;padding:0 1rem;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;justify-content:center;font-size:.875rem}
nav a{display:inline-block;padding:.375rem 0}
@media (width<30rem){header{padding:1rem}main{padding:1.5rem 1.25rem}}
`

const faces: Readonly<Partial<Record<Locale, string>>> = {
  ja: ':root{--cjk:"Hiragino Sans","Yu Gothic UI","Yu Gothic",Meiryo,"Noto Sans JP","Noto Sans CJK JP"}',
  'zh-CN': ':root{--cjk:"PingFang SC","Microsoft YaHei UI","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC"}',
  'zh-TW': ':root{--cjk:"PingFang TC","Microsoft JhengHei UI","Microsoft JhengHei","Noto Sans TC","Noto Sans CJK TC"}',
}
