import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { messagesFor, readMessagesAgain } from '#lib/text/messages'
import { watchTextsAndBrand } from './watch-texts-and-brand.ts'

it('reads a changed file again, and keeps the last good look when a file is wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-brand-'))
  const tokens = join(folder, 'tokens.css')
  await writeFile(tokens, '')
  const config = readConfig({ BRAND_DIR: folder })
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const close = watchTextsAndBrand(config, { info: note, warn: note })
  onTestFinished(async () => {
    close()
    await rm(folder, { recursive: true })
  })
  await writeFile(tokens, '--corner: 1px;')
  await vi.waitFor(() => expect(config.brand.look.css).toContain('--corner:1px'), 5000)
  await writeFile(tokens, '--corner: huge;')
  await vi.waitFor(() => expect(lines.join()).toContain('tokens.css, line 1: write a length'), 5000)
  expect(config.brand.look.css).toContain('--corner:1px')
})

it('reads a changed text again without a brand, and keeps the last good texts when a file is wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-texts-'))
  await cp('messages', folder, { recursive: true })
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const close = watchTextsAndBrand(readConfig({}), { info: note, warn: note }, folder)
  onTestFinished(async () => {
    close()
    readMessagesAgain()
    await rm(folder, { recursive: true })
  })
  const { signin } = messagesFor('ja')
  const file = join(folder, 'ja', 'entry.json')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(signin.title, 'CHANGED'))
  await vi.waitFor(() => expect(messagesFor('ja').signin.title).toBe('CHANGED'), 5000)
  await writeFile(file, '{')
  await vi.waitFor(() => expect(lines.join()).toContain('entry.json is no JSON'), 5000)
  expect(messagesFor('ja').signin.title).toBe('CHANGED')
})
