// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall, canAptInstall, onPath } from './apt.mjs'
import { environment, findNode } from './find-node.mjs'
import { run } from './run.mjs'

// The headless shell renders the same pages without a window, in two thirds of the time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Returns the path of a Chromium that starts: `CHROMIUM_PATH`, a system one, or Playwright's own; null when there is
 * none.
 */
export async function findChromium() {
  const candidates = [process.env.CHROMIUM_PATH, ...names.map(onPath), ...applications, await ofPlaywright()]
  return candidates.find((path) => path && existsSync(path) && starts(path)) ?? null
}

/**
 * Returns the path of a Chromium and installs one where the machine allows it. Throws an error that says what to do
 * otherwise.
 */
export async function ensureChromium(root) {
  const found = await findChromium()
  if (found) return found
  const said = []
  for (const name of canAptInstall() ? ['chromium-headless-shell', 'chromium'] : []) {
    said.push(await aptInstall(name))
    const installed = await findChromium()
    if (installed) return installed
  }
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { output } = await run(findNode(root), [cli, 'install', 'chromium'], {
    label: 'downloading Chromium (playwright install)',
    cwd: root,
    env: environment(root),
    limitSeconds: 300,
  })
  const downloaded = await findChromium()
  if (downloaded) return downloaded
  throw new Error(
    `${[...said, output].join('\n')}\n\nNo Chromium was found and none could be installed. Install one ` +
      '(Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps chromium), ' +
      'or name it: CHROMIUM_PATH=/path/to/chrome npm test.',
  )
}

async function ofPlaywright() {
  try {
    return (await import('playwright-core')).chromium.executablePath()
  } catch {
    return null
  }
}

// On some systems, a script with this name only prints where to get the browser.
function starts(path) {
  return spawnSync(path, ['--no-sandbox', '--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
}
