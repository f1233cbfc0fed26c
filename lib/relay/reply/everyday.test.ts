import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import PostalMime, { type Email } from 'postal-mime'
import { expect, it } from 'vitest'
import { appMessage, inbox, openRelayTest, rawText, reverseOf } from '#lib/testing/relay/relay'

type Sample = { file: string; program: string; words: string[]; files: Record<string, string> }

const folder = 'lib/relay/reply/everyday'
const corpus = JSON.parse(readFileSync(`${folder}/corpus.json`, 'utf8')) as Sample[]

/**
 * Uses two relays, because each rewrites its replies in its own worker threads. The timeout only stops a hanging
 * test.
 */
it('delivers a hundred everyday replies complete and refuses at most one', { timeout: 600_000 }, async () => {
  expect(corpus).toHaveLength(100)
  const results = await Promise.all([carry(corpus.slice(0, 50)), carry(corpus.slice(50))])
  expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
  const refused = results.flatMap((half) => half.refused)
  expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(1)
})

/**
 * Sends replies through a complete relay; returns the refused replies, and the faults of the replies that were sent.
 */
async function carry(samples: Sample[]): Promise<{ refused: string[]; wrong: string[] }> {
  const { send, hop } = await openRelayTest()
  expect(await send({ message: appMessage('x') })).toMatchObject({ code: 250 })
  const to = reverseOf(hop.arrived[0]?.raw)
  const [refused, wrong]: [string[], string[]] = [[], []]
  for (const sample of samples) {
    const message = readFileSync(`${folder}/${sample.file}`)
    hop.arrived.length = 0
    const { code, text } = await send({ from: inbox, to, message, helo: 'mail.example.org' })
    const sent = hop.arrived[0]
    if (code !== 250 || !sent) refused.push(`${sample.file}: ${code} ${text}`)
    else wrong.push(...(await faultsOf(sent.raw, sent.to, sample)))
  }
  return { refused, wrong }
}

/** Returns the faults of a sent reply: wrong recipients, visible addresses, missing content. */
async function faultsOf(raw: Buffer, to: string[], { file, words, files }: Sample): Promise<string[]> {
  const parts = await readAll(raw)
  const shown = parts.map((part) => readable(part.text)).join('\n')
  const arrived = parts.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))
  return [
    ...(to.join() === 'news@acme.example' ? [] : [`was sent to ${to.join()}`]),
    ...words.filter((one) => !shown.includes(readable(one))).map((one) => `lacks ${JSON.stringify(one)}`),
    ...Object.keys(files)
      .filter((name) => !arrived.includes(files[name] as string))
      .map((name) => `lacks ${name}`),
    ...[rawText(raw), ...parts.map(({ text }) => text)].filter(namesAda).map((text) => `shows ${namesAda(text)}`),
  ].map((fault) => `${file} ${fault}`)
}

const readable = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/\r?\n[ \t]?/g, ' ')
    .replace(/ +/g, ' ')
const namesAda = (text: string): string | undefined =>
  /.{0,20}(ada(@|=40|%40|=)example\.org|pc\.example\.org|192\.0\.2\.77).{0,20}/is.exec(text)?.[0]

type Read = { text: string; bytes: Buffer }

/** Returns every part that an independent parser finds, including the parts of attached messages. */
async function readAll(raw: Buffer): Promise<Read[]> {
  const mail: Email = await PostalMime.parse(raw, { forceRfc822Attachments: true })
  const texts = [mail.subject ?? '', mail.text ?? '', mail.html ?? '', mail.from?.name ?? '', mail.from?.address ?? '']
  const attached = await Promise.all(
    mail.attachments.map(async ({ content, mimeType, filename }) => {
      const bytes = Buffer.from(content as ArrayBuffer)
      const inner = mimeType === 'message/rfc822' ? await readAll(bytes) : []
      return [{ text: `${filename ?? ''}\n${bytes.toString('utf8')}`, bytes }, ...inner]
    }),
  )
  return [...texts.map((text) => ({ text, bytes: Buffer.from(text) })), ...attached.flat()]
}
