import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** A machine with only these scripts on its PATH, and a checkout with this Playwright script. */
function setUp(programs: Record<string, string>, playwright = 'process.exit(1)') {
  const folder = mkdtempSync(join(tmpdir(), 'postern-chromium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cli = join(folder, 'node_modules/@playwright/test/cli.js')
  mkdirSync(dirname(cli), { recursive: true })
  writeFileSync(cli, playwright.replaceAll('FOLDER', folder))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script.replaceAll('FOLDER', folder)}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const module = new URL('./find-chromium.mjs', import.meta.url)
  const ask = `import { ensureChromium } from ${JSON.stringify(module.href)}
    await ensureChromium(${JSON.stringify(folder)}).then((path) => console.log('found ' + path), ({ message }) => console.log(message))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', ask], {
    encoding: 'utf8',
    env: { NODE_ENV: 'test', PATH: folder, HOME: folder, PLAYWRIGHT_BROWSERS_PATH: join(folder, 'browsers') },
  })
  return stdout.replaceAll(folder, 'FOLDER').trim()
}

const browser = 'exit 0'
const makes = (name: string) => `printf '#!/bin/sh\\nexit 0\\n' > FOLDER/${name}; /bin/chmod 755 FOLDER/${name}`

it('uses an installed Chromium and skips one that does not start', () => {
  expect(setUp({ chromium: browser })).toBe('found FOLDER/chromium')
  expect(setUp({ chromium: 'exit 1', 'google-chrome': browser })).toBe('found FOLDER/google-chrome')
})

it('installs one with apt as root, and does not call apt otherwise', () => {
  const apt = `case "$*" in *chromium-headless-shell) ${makes('chromium-headless-shell')};; esac`
  const said = setUp({ 'apt-get': apt })
  if (process.getuid?.() === 0) expect(said).toContain('found FOLDER/chromium-headless-shell')
  else expect(said).toContain('No Chromium was found')
})

it('installs one with Playwright when apt is missing or has no package', () => {
  const install = `const { writeFileSync } = require('node:fs')
    if (process.argv.slice(2).join(' ') !== 'install chromium') process.exit(1)
    writeFileSync('FOLDER/chrome', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 })`
  expect(setUp({ 'apt-get': 'exit 1' }, install)).toContain('found FOLDER/chrome')
  expect(setUp({}, install)).toContain('found FOLDER/chrome')
})

it('says what to do when nothing works', () => {
  const said = setUp({}, "console.log('no network'); process.exit(1)")
  expect(said).toContain('no network')
  expect(said).toContain('apt-get install chromium')
  expect(said).toContain('CHROMIUM_PATH=/path/to/chrome npm test')
})
