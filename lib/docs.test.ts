import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCommandLine } from '#lib/cli/run'
import { answers } from '#lib/relay/answers'
import { spoolSizes } from '#lib/relay/message/spool'
import { replyRefusals } from '#lib/relay/reply/reply-refusal'
import { examples } from '#lib/server/settings/settings'

const guide = readFileSync('docs/relay.md', 'utf8')
const readme = readFileSync('README.md', 'utf8')

test('every command the documents name exists, and the README names every command', async () => {
  const commands = await commandNames()
  const inText = [...`${readme}\n${guide}`.matchAll(/cli (?:-- )?([a-z]+(?: [a-z]+)*)/g)].map(([, words]) => words)
  const [, table = ''] = /^### Commands\n([\s\S]*?)^A file/m.exec(readme) ?? []
  const inTable = [...table.matchAll(/^\| (`.+?`)(?: \(.*\))? \|/gm)].flatMap(([, cell = '']) => cell.split(' · '))
  const named = [...inText, ...inTable.map((name) => /^`([a-z]+(?: [a-z]+)*)/.exec(name)?.[1])]
  expect(named.filter((words = '') => !commands.some((one) => starts(words, one)))).toEqual([])
  expect(commands.filter((one) => !inTable.some((name) => name.startsWith(`\`${one}`)))).toEqual([])
})

/** Words in capitals are arguments and not part of the name. */
async function commandNames(): Promise<string[]> {
  let text = ''
  const edge = { env: {}, now: new Date(), random: Buffer.alloc, resolver: async () => [], isTerminal: true }
  const print = (piece: string) => {
    text += piece
  }
  await runCommandLine(['--help'], { ...edge, readStdin: async () => Buffer.alloc(0), stdout: print, stderr: print })
  return [...text.matchAll(/^ {2}([a-z]+(?: [a-z]+)*)(?: |$)/gm)].map(([, name = '']) => name).filter(Boolean)
}

const starts = (words: string, command: string) => words === command || words.startsWith(`${command} `)

test('the Postfix configurations the guide shows are the ones that are started in tests', () => {
  const shown = [...guide.matchAll(/\]\((relay\/[\w./-]+\.cf)\)/g)].map(([, path]) => `docs/${path}`)
  expect(shown.toSorted()).toEqual(globSync('docs/relay/*/*.cf').toSorted())
  const starter = readFileSync('e2e/postfix.ts', 'utf8')
  expect(starter).toContain(`'../docs/relay', name)`)
  for (const file of shown) {
    const [, , folder = '', name = ''] = file.split('/')
    expect(starter).toContain(`'${folder}'`)
    expect(starter).toContain(`'${name}'`)
  }
})

test('the guide and the configurations agree on ports', () => {
  const [, hop = 'none'] = /^SMTP_URL=smtp:\/\/(\S+)/m.exec(guide) ?? []
  expect(readFileSync('docs/relay/next-hop/master.cf', 'utf8')).toContain(`${hop} inet`)
  const [, relay = 'none'] = /`RELAY_LISTEN=(127\.0\.0\.1:\d+)`/.exec(guide) ?? []
  expect(readFileSync('docs/relay/front/master.cf', 'utf8')).toContain(`smtpd_proxy_filter=${relay}`)
})

test('every answer of the relay stands in the guide, and no other', () => {
  const ours = Object.values(answers).map(({ code, text }) => `${code} ${text}`)
  const [, table = ''] = /^## 7\. Answers\n([\s\S]*?)^## /m.exec(guide) ?? []
  const listed = [...table.matchAll(/`(\d{3} [^`]+)`/g)].map(([, answer]) => answer)
  expect(listed.filter((answer) => answer !== '550 5.7.1 Not sent: …').toSorted()).toEqual(ours.toSorted())
  for (const text of Object.values(replyRefusals)) expect(text).toMatch(/^Not sent: /)
})

test('every setting the guide names exists, and the size it tells is the one announced', () => {
  const named = [...guide.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name = '']) => name)
  const known = Object.keys(examples)
  expect(named.filter((name) => !known.includes(name) && !name.startsWith('CAP_'))).toEqual([])
  expect(guide).toContain(`${spoolSizes.total / 2 ** 20} MiB (announced) · ${spoolSizes.memory / 1024} KiB`)
})

test('every file and folder that the README says implements or shows something is there', () => {
  const [, table = ''] = /^## What is implemented\n([\s\S]*?)^Not yet/m.exec(readme) ?? []
  const paths = [...table.matchAll(/`((?:lib|e2e)\/[\w./*-]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(60)
  expect(paths.filter((path) => globSync(path).length === 0)).toEqual([])
  // A blank line would end the table.
  expect(table.trim()).not.toMatch(/\n\n/)
})

test('every section that a comment cites can be read in docs', () => {
  const citations = cited(/\b(spec|design|relay)(?:ification)? §(\d+)(?:\.(\d+))?/g)
  expect(citations.filter((citation) => !leadsSomewhere(citation)).map(([text]) => text)).toEqual([])
  const security = readFileSync('docs/design/security.md', 'utf8')
  const chapters = cited(/security checklist,? "([\w -]+)"/g).map(([, chapter = '']) => chapter)
  expect(chapters.filter((chapter) => !new RegExp(`^(## |- \\*\\*)${chapter}`, 'm').test(security))).toEqual([])
})

/** What comments of the product cite; nothing found would mean that the pattern is wrong. */
function cited(pattern: RegExp): RegExpExecArray[] {
  const files = globSync(['*.ts', '{app,lib,e2e,bench}/**/*.{ts,tsx}', 'prisma/schema.prisma', 'README.md'])
  const texts = files.filter((file) => !file.includes('generated')).map((file) => readFileSync(file, 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(pattern)])
  expect(found.length).toBeGreaterThan(10)
  return found
}

const cites: Record<string, string> = {
  spec: 'docs/specification.md',
  design: 'docs/design/service.md',
  relay: 'docs/design/relay.md',
}

/** To a chapter, a section of its own, or a number of the chapter's list. */
function leadsSomewhere([, document = '', chapter, item]: RegExpExecArray): boolean {
  const text = readFileSync(cites[document] ?? '', 'utf8')
  const headings = item ? [`^### ${chapter}\\.${item} `, `^## ${chapter}\\. [^]*^${item}\\. `] : [`^## ${chapter}\\. `]
  return headings.some((heading) => new RegExp(heading, 'm').test(text))
}
