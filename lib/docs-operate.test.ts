import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apiFields } from '#lib/apps/api-rules'
import { appFields } from '#lib/apps/app-fields'
import { readProvisionFile } from '#lib/cli/apply/provision-file'
import { runCommandLine } from '#lib/cli/run'
import { jobNames } from '#lib/server/jobs/schedule'
import { examples, settings } from '#lib/server/settings/settings'

const operate = readFileSync('docs/operate.md', 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'])

describe('operate.md', () => {
  it('names every command that --help lists, and documents name no other', async () => {
    const commands = await commandNames()
    const text = documents.map((file) => readFileSync(file, 'utf8')).join('\n')
    const inText = [...text.matchAll(/(?:cli (?:-- )?|^postern )([a-z]+(?: [a-z]+)*)/gm)].map(([, words]) => words)
    const [, table = ''] = /^## Commands\n([\s\S]*?)^##/m.exec(operate) ?? []
    const inTable = [...table.matchAll(/^\| (`.+?`)(?: \(.*\))? \|/gm)].flatMap(([, cell = '']) => cell.split(' · '))
    const named = [...inText, ...inTable.map((name) => /^`([a-z]+(?: [a-z]+)*)/.exec(name)?.[1])]
    expect(named.filter((words = '') => !commands.some((one) => starts(words, one)))).toEqual([])
    expect(commands.filter((one) => !inTable.some((name) => name.startsWith(`\`${one}`)))).toEqual([])
  })

  it('explains every setting', () => {
    const rows = operate.split('\n').filter((line) => line.startsWith('| `'))
    const firstCells = rows.map((row) => row.split(' | ')[0])
    const missing = Object.keys(examples).filter((name) => !firstCells.some((cell) => cell?.includes(`\`${name}\``)))
    expect(missing).toEqual([])
    const numbers = Object.entries(settings.parse({})).filter(([, value]) => typeof value === 'number')
    expect(numbers.length).toBeGreaterThan(5)
    const rowOf = (name: string) => rows.find((row) => row.startsWith(`| \`${name}\``))
    for (const [name, value] of numbers) expect(rowOf(name)).toContain(`${Number(value).toLocaleString('en')} |`)
  })

  it('shows a file that apply accepts, and explains every field of an app', () => {
    const [, example = ''] = /^### The file for apply\n\n```json\n([\s\S]*?)^```/m.exec(operate) ?? []
    const installation = { evaluation: false, issuer: 'https://id.example.org', relayDomain: 'relay.example.org' }
    const read = readProvisionFile(JSON.parse(example), '.', installation, Buffer.alloc)
    expect(read.problems).toEqual([])
    const [, table = ''] = /^\| field of an app([\s\S]*?)\n\n/m.exec(operate) ?? []
    expect(Object.keys(appFields).filter((name) => !table.includes(`\`${name}\``))).toEqual([])
    const [, apis = ''] = /^\| field of an API([\s\S]*?)\n\n/m.exec(operate) ?? []
    expect(Object.keys(apiFields).filter((name) => !apis.includes(`\`${name}\``))).toEqual([])
  })

  it('names every metric', () => {
    const metrics = [...readFileSync(metricsFile, 'utf8').matchAll(/name: '(postern_\w+)'/g)].map(([, name]) => name)
    expect(metrics.length).toBeGreaterThan(5)
    expect(metrics.filter((name) => !operate.includes(`\`${name}\``))).toEqual([])
  })

  it('quotes lines of the log that the product writes', () => {
    const [, table = ''] = /^## Logs\n([\s\S]*?)^## /m.exec(operate) ?? []
    const cells = [...table.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell)
    const lines = cells.flatMap((cell) => [...cell.matchAll(/`([^`…]+)…?`/g)].map(([, line = '']) => line))
    expect(lines.length).toBeGreaterThan(5)
    const sources = globSync(['serve.ts', 'server.ts', 'lib/**/*.ts'], {
      exclude: (path) => path.includes('generated'),
    })
    const text = sources.filter((file) => !file.endsWith('.test.ts')).map((file) => readFileSync(file, 'utf8'))
    expect(lines.filter((line) => !text.some((source) => source.includes(line)))).toEqual([])
  })

  it('names every background job', () => {
    expect(jobNames.filter((name) => !operate.includes(`| \`${name}\` |`))).toEqual([])
  })
})

const [metricsFile = ''] = globSync('lib/**/metrics.ts').filter((file) => !file.includes('front-door'))

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
