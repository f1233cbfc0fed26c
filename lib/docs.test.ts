import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answers } from '#lib/relay/answers'
import { spoolSizes } from '#lib/relay/message/spool'
import { replyRefusals } from '#lib/relay/reply/reply-refusal'
import { examples } from '#lib/server/settings/settings'

const guide = readFileSync('docs/relay.md', 'utf8')
const readme = readFileSync('README.md', 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'])

describe('links', () => {
  it('lead to existing files and headings', () => {
    const links = documents.flatMap((file) => linksOf(file).map((target) => ({ file, target })))
    expect(links.length).toBeGreaterThan(50)
    const broken = links.filter(({ file, target }) => !resolves(file, target))
    expect(broken.map(({ file, target }) => `${file}: ${target}`)).toEqual([])
  })
})

/** Targets of Markdown links and pictures that lead to a file or a heading of the repository. */
function linksOf(file: string): string[] {
  const prose = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

function resolves(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : join(dirname(from), path)
  if (!existsSync(file)) return false
  return anchor === undefined || anchorsOf(file).includes(anchor)
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('README', () => {
  it('has at most 200 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  })

  it('uses the names of buttons and pages from the messages, as relay.md does', () => {
    const labels = [...`${readme}\n${guide}`.matchAll(/(?<![*\w])\*([A-Z][\w -]+)\*(?![*\w])/g)].map(
      ([, label]) => label,
    )
    expect(labels.length).toBeGreaterThan(3)
    const messages = globSync('messages/en/*.json').map((file) => readFileSync(file, 'utf8'))
    // "Reply" is a button of the person's own mail program.
    const shown = labels.filter((label) => label !== 'Reply')
    expect(shown.filter((label) => !messages.some((text) => text.includes(`"${label}"`)))).toEqual([])
  })

  it('shows every picture of docs/screens', () => {
    const shown = [...readme.matchAll(/\((docs\/screens\/[\w.-]+)\)/g)].map(([, path]) => path)
    expect(shown.toSorted()).toEqual(globSync('docs/screens/*').toSorted())
  })
})

describe('decisions', () => {
  const files = globSync('docs/decisions/*.md').filter((file) => !file.endsWith('README.md'))
  const names = files.map((file) => file.slice('docs/decisions/'.length)).toSorted()

  it('are numbered without a gap, in the order of their dates', () => {
    expect(names.map((name) => name.slice(0, 5))).toEqual(names.map((_, at) => `${String(at + 1).padStart(4, '0')}-`))
    const dates = names.map((name) => /^Date: (\d{4}-\d{2}-\d{2})$/m.exec(decision(name))?.[1])
    expect(dates).toEqual(dates.toSorted())
    expect(dates).not.toContain(undefined)
  })

  it.each(names)('%s has a context, a decision and consequences', (name) => {
    const headings = [...decision(name).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Context', 'Decision', 'Consequences'])
  })

  it('are all in the index, under their titles', () => {
    const index = decision('README.md')
    for (const name of names) {
      expect(index).toContain(`[${name.slice(0, 4)}](${name})`)
      expect(index).toContain(decision(name).slice(2, decision(name).indexOf('\n')))
    }
  })
})

const decision = (name: string) => readFileSync(`docs/decisions/${name}`, 'utf8')

describe('relay.md', () => {
  it('shows exactly the Postfix configurations that tests start', () => {
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

  it('names the ports of the configurations', () => {
    const [, hop = 'none'] = /^SMTP_URL=smtp:\/\/(\S+)/m.exec(guide) ?? []
    expect(readFileSync('docs/relay/next-hop/master.cf', 'utf8')).toContain(`${hop} inet`)
    const [, relay = 'none'] = /`RELAY_LISTEN=(127\.0\.0\.1:\d+)`/.exec(guide) ?? []
    expect(readFileSync('docs/relay/front/master.cf', 'utf8')).toContain(`smtpd_proxy_filter=${relay}`)
  })

  it('lists exactly the answers of the relay', () => {
    const ours = Object.values(answers).map(({ code, text }) => `${code} ${text}`)
    const [, table = ''] = /^## 7\. Answers\n([\s\S]*?)^## /m.exec(guide) ?? []
    const listed = [...table.matchAll(/`(\d{3} [^`]+)`/g)].map(([, answer]) => answer)
    expect(listed.filter((answer) => answer !== '550 5.7.1 Not sent: …').toSorted()).toEqual(ours.toSorted())
    for (const text of Object.values(replyRefusals)) expect(text).toMatch(/^Not sent: /)
  })

  it('names only existing settings, and the size limit that the relay announces', () => {
    const named = [...guide.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name = '']) => name)
    const known = Object.keys(examples)
    expect(named.filter((name) => !known.includes(name) && !name.startsWith('CAP_'))).toEqual([])
    expect(guide).toContain(`${spoolSizes.total / 2 ** 20} MiB (announced) · ${spoolSizes.memory / 1024} KiB`)
  })
})

describe('clients.md', () => {
  it('names the versions that npm run clients installs', () => {
    const modules = ['go/go.mod', 'go/oauth2-proxy/go.mod']
    const files = ['node/package.json', 'python/requirements.txt', ...modules, 'rust/Cargo.toml', 'java/pom.xml']
    const pins = files.map((file) => readFileSync(`clients/${file}`, 'utf8')).join('\n')
    const tested =
      readFileSync('docs/clients.md', 'utf8')
        .match(/^Tested with .*$/gm)
        ?.join('\n') ?? ''
    const versions = [...tested.matchAll(/\d+\.\d+\.\d+/g)].map(([version]) => version)
    expect(versions.length).toBeGreaterThan(11)
    expect(versions.filter((version) => !pins.includes(version))).toEqual([])
  })
})

describe('paths', () => {
  it('exist if a document cites them', () => {
    const cited = documents.flatMap((file) => pathsOf(file).map((path) => ({ file, path })))
    expect(cited.length).toBeGreaterThan(200)
    const missing = cited.filter(({ path }) => globSync(path).length === 0)
    expect(missing.map(({ file, path }) => `${file}: ${path}`)).toEqual([])
  })

  it('are complete if a document cites a test', () => {
    const text = documents.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(text.match(/`[\w-]+\.(test|spec)\.ts`/g)?.filter((name) => name !== '`rotation.test.ts`') ?? []).toEqual([])
  })

  it('are in the map of the README for every room', () => {
    const [, map = ''] = /^## The map\n([\s\S]*?)^## /m.exec(readme) ?? []
    const rooms = globSync('lib/*/').map((folder) => folder.split('/')[1])
    expect(rooms.length).toBeGreaterThan(10)
    expect(rooms.filter((room) => !map.includes(` ${room}/ `))).toEqual([])
  })
})

/** Returns the paths in code style; brackets of Next's folder names become `?`, because globs give them a meaning. */
function pathsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const paths = [...text.matchAll(/`((?:lib|e2e|app|bin|bench|clients|prisma|messages|public)\/[\w./*()[\]-]*)`/g)]
  return paths.map(([, path = '']) => path.replace(/[()[\]]/g, '?'))
}

describe('the documents', () => {
  it('contain every section that a comment cites', () => {
    const citations = cited(/\b(spec|design|relay)(?:ification)? §(\d+)(?:\.(\d+))?/g)
    expect(citations.filter((citation) => !leadsSomewhere(citation)).map(([text]) => text)).toEqual([])
    const security = readFileSync('docs/design/security.md', 'utf8')
    const chapters = cited(/security checklist,? "([\w -]+)"/g).map(([, chapter = '']) => chapter)
    expect(chapters.filter((chapter) => !new RegExp(`^(## |- \\*\\*)${chapter}`, 'm').test(security))).toEqual([])
  })
})

/** Returns the citations in comments of the product; few matches would mean that the pattern is wrong. */
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

/** Returns whether the cited document has the chapter, and the section or list item of that number. */
function leadsSomewhere([, document = '', chapter, item]: RegExpExecArray): boolean {
  const text = readFileSync(cites[document] ?? '', 'utf8')
  const headings = item ? [`^### ${chapter}\\.${item} `, `^## ${chapter}\\. [^]*^${item}\\. `] : [`^## ${chapter}\\. `]
  return headings.some((heading) => new RegExp(heading, 'm').test(text))
}
