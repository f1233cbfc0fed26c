import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it, onTestFinished } from 'vitest'
import { composeLetters } from '#lib/server/compose/mail'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { openMailbox, openPost } from './post.ts'

const to = 'ada@example.org'
const at = new Date('2026-11-20T09:05:00Z')

async function setUp(settings: Record<string, string>) {
  const mailbox = await openMailbox(() => at)
  const config = readConfig({ SMTP_URL: mailbox.url, ...settings })
  const post = openPost(config.smtpUrl, config)
  onTestFinished(async () => {
    post.close()
    await mailbox.close()
  })
  return { mailbox, letters: composeLetters({ config, log: makeLog('silent'), metrics: makeMetrics() }, post) }
}

it('writes in the languages of LANGUAGES only, else in DEFAULT_LANGUAGE', async () => {
  const { mailbox, letters } = await setUp({ LANGUAGES: 'zh-TW,ja', DEFAULT_LANGUAGE: 'ja' })
  for (const locale of ['en', '', 'zh-TW']) await letters.addressTaken({ to, locale, username: 'ada' })
  const parsed = await Promise.all(mailbox.list().map(({ raw }) => PostalMime.parse(raw)))
  const languages = parsed.map(({ html }) => html?.match(/<html lang="([\w-]+)"/)?.[1])
  expect(languages.toSorted()).toEqual(['ja', 'ja', 'zh-TW'])
})

it('a letter shows the logo, the colours and the words of a brand, and nothing of ours', async () => {
  const { mailbox, letters } = await setUp({
    BRAND_DIR: join(import.meta.dirname, '../../deploy/brand'),
    SERVICE_NAME: 'Riverbank',
  })
  await letters.newSignIn({ to, locale: 'en', username: 'ada', at, device: 'Firefox, Linux', address: '193.0.6.139' })
  const { html = '', text = '', attachments } = await PostalMime.parse(mailbox.list()[0]?.raw ?? '')
  expect(attachments).toMatchObject([{ contentId: '<logo>', mimeType: 'image/png', disposition: 'inline' }])
  expect(html).toContain('<img src="cid:logo" alt="Riverbank"')
  expect(mailbox.list()[0]?.html).toContain('<img src="data:image/png;base64,')
  expect(html).toContain('background:#123f8a;color:#ffffff')
  expect(`${html}${text}`).not.toMatch(/Postern|#1d4b38|#a3dcbf/)
})
