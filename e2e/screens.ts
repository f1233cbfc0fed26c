// Visits every page once for each look and writes a picture of every state to screens/.
import { mkdir, rm } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from '../bin/find-chromium.mjs'
import { looks } from './looks.ts'
import { ServerProcess } from './server-process.ts'
import { walkEverywhere } from './walk.ts'

const folder = 'screens'

async function main() {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const server = await ServerProcess.start({ DEMO: '1', TEAMS: 'open', SENSITIVE_SCOPES: 'review' })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, timezoneId: 'UTC', baseURL: server.accountUrl })
    const page = await context.newPage()
    let count = 0
    const keep = async (name: string) => {
      // A dialog covers the window, not the whole page. A WebP picture has at most 16,383 lines.
      const fullPage = await page.evaluate(
        () => document.querySelector('dialog[open]') === null && document.documentElement.scrollHeight <= 16_383,
      )
      const png = await page.screenshot({ fullPage, animations: 'disabled' })
      const number = String(++count).padStart(2, '0')
      await sharp(png).webp({ quality: 80 }).toFile(`${folder}/${look}-${number}-${name}.webp`)
    }
    await walkEverywhere({ page, server, keep, username: `visitor-${look.toLowerCase()}`.slice(0, 32) })
    await context.close()
    console.log(`${look}: ${count} pictures`)
  }
  await browser.close()
  await server.remove()
}

await main()
