import { createHash } from 'node:crypto'
import { zipOf } from '#lib/testing/relay/zip'
import { spellings } from './candidates.ts'
import { plainPdf } from './packed-files.ts'

/** The text and the attachments of a person's message. */
export type Letter = { text: string; subtype?: 'plain' | 'html'; files?: AttachedFile[] }
export type AttachedFile = { name: string; type: string; bytes: Buffer }

/** All spellings of an address that the relay's search for the person's own address finds. */
export const moreSpellings: Record<string, (address: string) => string> = {
  ...spellings,
  'in one word': (address) => address.replace(/[@.]/g, '_'),
  'in one word, behind another': (address) => `report-${address.replace(/[@.]/g, '-')}.pdf`,
  'with a hash': (address) => address.replace('@', '#'),
  'turned round': (address) => address.split('@').toReversed().join('!'),
  'twice percent': (address) => address.replace('@', '%2540'),
  'an entity': (address) => address.replace('@', '&#64;'),
  'an escape of JSON': (address) => address.replace('@', '\\u0040'),
  'with a blank': (address) => address.replace('@', ' @'),
  'half in words': (address) => address.replace('@', ' at '),
  'cut in two': (address) => address.replace('@exa', '@exa\n'),
  'md5 in capitals': (address) => createHash('md5').update(address).digest('hex').toUpperCase(),
  'md5 in base64': (address) => createHash('md5').update(address).digest('base64'),
  'sha1 in base64, in a link': (address) =>
    `https://acme.example/t/${createHash('sha1').update(address).digest('base64url')}/7`,
  'base64 twice': (address) => Buffer.from(Buffer.from(address).toString('base64')).toString('base64'),
  'base64 in a link': (address) => `https://acme.example/t?${Buffer.from(`x=${address}`).toString('base64')}`,
  'an escape of style sheets': (address) => address.replace('@', '\\40 '),
  'octal escapes': (address) =>
    Array.from(Buffer.from(address), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  'between plus signs': (address) => address.replace('@', '+at+'),
  'all signs in brackets': (address) => address.replace('@', '(at)').replaceAll('.', '(dot)'),
  'in braces': (address) => address.replace('@', '{at}'),
  'between angles, in words': (address) => address.replace('@', ' <at> '),
  'with tags inside': (address) => address.replace('@', '<b></b>@<i>'),
  'a folder': (address) => `/home/${address.split('@')[0]}/orders`,
}

export const sentences = (many: string[]) => many.map((one) => `We know ${one} as a friend of ours.`)
const prefixes = ['News: ', 'NL> ', 'NL: ', 'AL} ', 'a. ', '## ', '']

/** Wraps at blanks, as mail programs do, and adds a prefix to each line. */
const wrapped = (lines: string[], width: number, prefix: string): string =>
  lines
    .join(' ')
    .replace(new RegExp(`(?=.{${width}})(.{1,${width}})\\s+`, 'g'), '$1\n')
    .replace(/^/gm, prefix)

/** Ways to copy the app's text without a quotation mark that the relay recognises. */
export const copies: Record<string, (lines: string[], at: number, width: number) => Letter> = {
  'one line': (lines, at) => ({ text: `Is this right?\n${lines[at]}\nI ask you.` }),
  'one line alone': (lines, at) => ({ text: `${lines[at]}` }),
  'the first line': ([first]) => ({ text: `${first}\n\nWhat is that?` }),
  'the last line': (lines) => ({ text: `What is that?\n\n${lines.at(-1)}` }),
  'one line of a page': (lines, at) => ({
    text: `<p>Is this right?</p><p>${lines[at]?.replaceAll('<', '&lt;')}</p>`,
    subtype: 'html',
  }),
  'all, behind letters': (lines, at, width) => ({
    text: `Hello\n\n${wrapped(lines, width, prefixes[at % prefixes.length] as string)}\n\nIndeed.`,
  }),
}

export const csv = (rows: string[]) =>
  Buffer.from(`name,address\r\n${rows.map((one, at) => `${at},"${one}"\r\n`).join('')}`)
const json = (rows: string[]) =>
  Buffer.from(JSON.stringify({ people: rows.map((one, at) => ({ at, is: one })) }, null, 1))
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
export const docx = (rows: string[]) => {
  const paragraphs = rows.map((one) => `<w:p><w:r><w:t>${escapeXml(one)}</w:t></w:r></w:p>`).join('')
  const entry = (name: string, content: string) => ({ name, content: Buffer.from(content) })
  return zipOf([
    entry('[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    entry(
      'word/document.xml',
      `<w:document xmlns:o="urn:schemas-microsoft-com:office:office"><w:body>${paragraphs}</w:body></w:document>`,
    ),
  ])
}
const shownInPdf = (rows: string[]) =>
  plainPdf(
    `BT /F1 12 Tf 10 500 Td ${rows.map((one) => `(${one.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`).join(' ')} ET`,
  )

export const files: Record<string, { type: string; name: string; make(rows: string[]): Buffer }> = {
  csv: { type: 'text/csv; charset=utf-8', name: 'people.csv', make: csv },
  'csv of another type': { type: 'application/octet-stream', name: 'people.csv', make: csv },
  json: { type: 'application/json', name: 'people.json', make: json },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    name: 'people.docx',
    make: docx,
  },
  pdf: { type: 'application/pdf', name: 'people.pdf', make: shownInPdf },
}

export const renamings: ((stem: string, ending: string) => string)[] = [
  (stem, ending) => `copy of ${stem}${ending}`,
  (stem, ending) => `${stem} - Kopie${ending}`,
  (stem, ending) => `${stem}_signed${ending}`,
  (stem, ending) => `filled in ${stem} (2)${ending}`,
  (stem, ending) => `${stem} ausgefüllt${ending}`,
]
