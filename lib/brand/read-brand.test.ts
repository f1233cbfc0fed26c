import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readHome } from '#lib/brand/home/read-home'
import { messagesFor } from '#lib/text/messages'
import { chooseLanguage, directionOf, languageNames, languagesOf, pageLanguage, textsOf } from './brand-texts.ts'
import { noBrand, readBrand } from './read-brand.ts'

const example = join(import.meta.dirname, '../../deploy/brand')
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

/** Makes a folder with these files. */
async function makeFolder(files: Record<string, string | Buffer> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-brand-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

it('reads the example', () => {
  const brand = readBrand(example)
  expect(Object.keys(brand.pictures)).toEqual(['favicon.svg', 'logo-dark.svg', 'logo.svg'])
  expect(brand.letterLogo?.length).toBeGreaterThan(100)
  expect(brand.look.css).toContain('--green:light-dark(#123f8a,#a8c4ff)')
  expect(languagesOf(brand)).toEqual(['en', 'ja', 'zh-CN', 'zh-TW', 'fr'])
  expect(brand.home?.[0]).toMatchObject({ kind: 'heading', level: 1 })
})

it('reads an empty folder, and passes over a README and hidden files', async () => {
  const folder = await makeFolder({ README: 'ours', 'README.md': 'ours', '.gitkeep': '' })
  expect(readBrand(folder)).toEqual({ ...noBrand, isOwn: true })
})

/** A file in which this stands for {app}. */
const formed = (text: string) => ({ 'messages.en.json': JSON.stringify({ signin: { heading: text } }) })

describe('a folder is refused', () => {
  it.each<[string, Record<string, string | Buffer>, RegExp]>([
    ['with an unknown file', { 'logo.png': svg }, /^logo\.png: the name is not known; the files are logo\.svg, /],
    ['with a dark logo alone', { 'logo-dark.svg': svg }, /^logo\.svg: logo-dark\.svg needs it/],
    ['with an SVG that is none', { 'logo.svg': '<html><svg/>' }, /^logo\.svg: this is no SVG/],
    ['with a huge SVG', { 'logo.svg': svg.padEnd(70_000) }, /may have 65536 bytes/],
    ['with a PNG that is none', { 'letter-logo.png': svg }, /^letter-logo\.png: this is no PNG/],
    ['with bytes that are no UTF-8', { 'home.md': Buffer.from([0xff, 0xfe]) }, /^home\.md: the file is not UTF-8/],
    [
      'with JSON that ends early',
      { 'messages.en.json': '{\n"signin": {' },
      /^messages\.en\.json, line \d: this is no JSON/,
    ],
    ['with a language that is none', { 'messages.english!.json': '{}' }, /the name is not known/],
    ['with a language in another form', { 'messages.pt_br.json': '{}' }, /the name is not known/],
    [
      'with a text that we do not have',
      { 'messages.en.json': '{"signin":{"x":"y"}}' },
      /^messages\.en\.json, line 1: signin\.x is not a text of ours/,
    ],
    ['with a list', { 'messages.en.json': '[]' }, /must be an object/],
    ['with a number', { 'messages.en.json': '{"signin":{"title":1}}' }, /signin\.title must be a text/],
    ['with an empty text', { 'messages.en.json': '{"signin":{"title":" "}}' }, /signin\.title is empty/],
    ['with another placeholder', { 'messages.en.json': '{"signin":{"title":"{name}"}}' }, /placeholders: none/],
    ['without our placeholder', { 'messages.en.json': '{"signin":{"heading":"Sign in"}}' }, /placeholders: \{app\}/],
    ['with an open brace', { 'messages.en.json': '{"signin":{"heading":"{app"}}' }, /does not end/],
    ['with a tag', { 'messages.en.json': '{"signin":{"title":"<b>x</b>"}}' }, /placeholders: none/],
    ['with a date in place of a text', formed('{app, date}'), /signin\.heading has \{app\} as date, which its value/],
    ['with a currency that is none', formed('{app, number, ::currency/ABCD}'), /\{app\} as number with a style/],
    ['with a plural in place of a text', formed('{app, plural, other {#}}'), /\{app\} as plural/],
    ['with a choice in place of a text', formed('{app, select, other {x}}'), /\{app\} as select/],
    [
      'with a style of a number',
      { 'messages.en.json': '{"consoleHealth":{"found":{"keys":{"old":"{days, number, ::currency/ABCD}"}}}}' },
      /\{days\} as number with a style/,
    ],
    [
      'with a plural in a letter',
      { 'messages.en.json': '{"letters":{"codeToBind":{"valid":"{minutes, plural, other {#}}"}}}' },
      /letters\.codeToBind\.valid must have these placeholders: \{minutes\}$/,
    ],
    [
      'with braces in a letter',
      { 'messages.en.json': '{"letters":{"codeToBind":{"valid":"{minutes} {x, number}"}}}' },
      /letters\.codeToBind\.valid may have plain placeholders only/,
    ],
    [
      'with a tag on a page of an error',
      { 'messages.en.json': '{"fault":{"broken":{"title":"<b>x</b>"}}}' },
      /fault\.broken\.title may have plain placeholders only/,
    ],
    ['with a huge text', { 'messages.en.json': `{"signin":{"title":"${'x'.repeat(5000)}"}}` }, /more than 4000/],
    ['with a prototype', { 'messages.en.json': '{"__proto__":{"x":"y"}}' }, /__proto__ is not a text of ours/],
    ['with the constructor', { 'messages.en.json': '{"constructor":{"name":"y"}}' }, /constructor is not a text/],
    ['with HTML in the home page', { 'home.md': '# x\n<b>y</b>' }, /^home\.md, line 2: HTML is not permitted/],
    ['with a script as a link', { 'home.md': '[x](javascript:alert(1))' }, /line 1: a link leads to/],
    ['with a link to another host', { 'home.md': '[x](//evil.example)' }, /line 1: a link leads to/],
    ['with an empty home page', { 'home.md': '\n' }, /the file is empty/],
  ])('%s', async (_, files, words) => {
    const folder = await makeFolder(files)
    expect(() => readBrand(folder)).toThrow(words)
  })

  it('with a link to a file elsewhere, a folder, or nothing', async () => {
    const folder = await makeFolder()
    await symlink('/etc/passwd', join(folder, 'home.md'))
    expect(() => readBrand(folder)).toThrow('home.md: the file cannot be read, or is a link')
    await rm(join(folder, 'home.md'))
    await cp(example, join(folder, 'home.md'), { recursive: true })
    expect(() => readBrand(folder)).toThrow('home.md: this is not a file')
    expect(() => readBrand(join(folder, 'none'))).toThrow('the folder cannot be read')
  })

  it('with a picture of 65,535 by 65,535 pixels', async () => {
    const png = Buffer.alloc(64)
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(png)
    png.write('IHDR', 12, 'latin1')
    png.writeUInt32BE(65_535, 16)
    png.writeUInt32BE(65_535, 20)
    const folder = await makeFolder({ 'letter-logo.png': png })
    expect(() => readBrand(folder)).toThrow('65535 × 65535 pixels')
  })
})

describe('the texts of a brand', () => {
  const brand = readBrand(example)
  const offered = { languages: languagesOf(brand), defaultLanguage: 'en' }

  it('replace ours one by one, and a new language falls back to English', () => {
    expect(textsOf(brand, 'en').signin).toEqual({
      ...messagesFor('en').signin,
      accountHeading: 'Sign in to {service}',
      create: 'Join',
    })
    expect(textsOf(brand, 'fr').signin.submit).toBe('Se connecter')
    expect(textsOf(brand, 'fr').signup).toEqual(messagesFor('en').signup)
    expect(textsOf(brand, 'ja')).toBe(messagesFor('ja'))
    expect(messagesFor('en').signin.create).toBe('Create account')
  })

  it('accept a plural with other forms, and quotation marks', async () => {
    const texts = { security: { passkeys: { count: "{count, plural, =1 {one key} other {# keys}} '' '{x}'" } } }
    const folder = await makeFolder({ 'messages.en.json': JSON.stringify(texts) })
    expect(textsOf(readBrand(folder), 'en').security.passkeys.count).toContain('one key')
  })

  it('accept a number as a plural, with separators or as it is', async () => {
    const made = (text: string) => JSON.stringify({ hideMyEmail: { row: { blocked: text } } })
    for (const text of ['{count, plural, other {# blocked}}', '{count} blocked', '{count, number} held back']) {
      const folder = await makeFolder({ 'messages.en.json': made(text) })
      expect(textsOf(readBrand(folder), 'en').hideMyEmail.row.blocked).toBe(text)
    }
  })

  it.each([
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['FR', 'fr'],
    ['zh-HK', 'zh-TW'],
    ['ja-JP', 'ja'],
    ['de', 'en'],
    ['../../etc', 'en'],
  ])('are chosen for %s in %s', (wish, language) => {
    expect(chooseLanguage(offered, undefined, '', wish)).toBe(language)
  })

  it('are offered under their own names, and only where LANGUAGES lists them', () => {
    expect(languageNames(offered).at(-1)).toEqual(['fr', 'français'])
    expect(chooseLanguage({ languages: ['fr', 'ja'], defaultLanguage: 'fr' }, 'en', 'zh')).toBe('fr')
    expect(pageLanguage(offered, 'en-GB')).toBe('en')
    expect(pageLanguage(offered, 'fr')).toBe('fr')
  })
})

it.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['az-Arab', 'rtl'],
  ['fr', 'ltr'],
  ['zh-TW', 'ltr'],
])('writes %s in its direction', (language, direction) => {
  expect(directionOf(language)).toBe(direction)
})

it('reads headings, paragraphs, lists, emphasis and links of a home page', () => {
  expect(readHome('# A\n\nb *c*\n**d**\n\n- e\n- [f](/account)\n  g\n\n2 < 3 * 4', 'home.md')).toEqual([
    { kind: 'heading', level: 1, pieces: [{ text: 'A' }] },
    {
      kind: 'paragraph',
      pieces: [{ text: 'b ' }, { text: 'c', look: 'em' }, { text: ' ' }, { text: 'd', look: 'strong' }],
    },
    {
      kind: 'list',
      items: [[{ text: 'e' }], [{ text: 'f', href: '/account' }, { text: ' ' }, { text: 'g' }]],
    },
    { kind: 'paragraph', pieces: [{ text: '2 < 3 * 4' }] },
  ])
})
