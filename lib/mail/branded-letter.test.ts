import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it, onTestFinished } from 'vitest'
import { composeLetters } from '#lib/server/compose/mail'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { openMailbox, openPost } from './post.ts'

it('a letter shows the logo, the colours and the words of a brand, and nothing of ours', async () => {
  const at = new Date('2026-11-20T09:05:00Z')
  const mailbox = await openMailbox(() => at)
  const config = readConfig({
    SMTP_URL: mailbox.url,
    BRAND_DIR: join(import.meta.dirname, '../../deploy/brand'),
    SERVICE_NAME: 'Riverbank',
  })
  const post = openPost(config.smtpUrl, config)
  onTestFinished(async () => {
    post.close()
    await mailbox.close()
  })
  const letters = composeLetters({ config, log: makeLog('silent'), metrics: makeMetrics() }, post)
  const to = 'ada@example.org'
  await letters.newSignIn({ to, locale: 'en', username: 'ada', at, device: 'Firefox, Linux', address: '193.0.6.139' })
  const { html = '', text = '', attachments } = await PostalMime.parse(mailbox.list()[0]?.raw ?? '')
  expect(attachments).toMatchObject([{ contentId: '<logo>', mimeType: 'image/png', disposition: 'inline' }])
  expect(html).toContain('<img src="cid:logo" alt="Riverbank"')
  expect(mailbox.list()[0]?.html).toContain('<img src="data:image/png;base64,')
  expect(html).toContain('background:#123f8a;color:#ffffff')
  expect(`${html}${text}`).not.toMatch(/Postern|#1d4b38|#a3dcbf/)
})
