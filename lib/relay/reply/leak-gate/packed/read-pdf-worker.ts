import { type MessagePort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'

/** The texts of a PDF as a viewer joins them, and its attached files. */
export type PdfContent = { texts: string[]; files: { name: string; bytes: Uint8Array }[] }

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
/** The port for documents and their content, and the flag that signals an answer. */
export type ReaderSetUp = { port: MessagePort; done: Int32Array<SharedArrayBuffer> }

const { port, done } = workerData as ReaderSetUp

const longestArray = 64 * 2 ** 20

// The thread's own limits do not cover array buffers: a stream that unpacks to gigabytes would end the whole process.
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args, newTarget) {
    if (typeof args[0] === 'number' && args[0] > longestArray) throw new RangeError('The document unpacks to too much.')
    return Reflect.construct(target, args, newTarget)
  },
})
// Without this class the library uses its own decompressor, which grows one array step by step.
Object.assign(globalThis, { DecompressionStream: undefined })

port.on('message', async (file: Uint8Array<ArrayBuffer>) => {
  // A document that cannot be opened has no content.
  port.postMessage(await readDocument(file).catch(() => undefined))
  Atomics.store(done, 0, 1)
  Atomics.notify(done, 0)
})

async function readDocument(file: Uint8Array<ArrayBuffer>): Promise<PdfContent> {
  const document = await getDocumentProxy(file, {
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: true,
    stopAtErrors: false,
    verbosity: 0,
  })
  const texts = await readAround(document)
  const files: PdfContent['files'] = []
  const attach = async (id: string, { filename }: { filename: string }) => {
    const content = await document.getAttachmentContent(id)
    if (content) files.push({ name: filename, bytes: content })
  }
  for (const [id, attached] of (await document.getAttachments()) ?? []) await attach(id, attached)
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    texts.push(...(await readPage(page)))
    for (const { fileId, file } of await page.getAnnotations()) if (fileId) await attach(fileId, file)
    page.cleanup()
  }
  await document.loadingTask.destroy()
  return { texts, files }
}

/** Returns the text of a page, and its links, notes, form fields, scripts and alternative texts. */
async function readPage(page: Awaited<ReturnType<Document['getPage']>>): Promise<string[]> {
  const { items } = await page.getTextContent({ disableNormalization: true })
  const shown = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  const around = await Promise.all([page.getAnnotations(), page.getJSActions(), page.getStructTree(), page.getXfa()])
  return [shown, ...around.map((one) => stringify(one))]
}

/** Returns the text of a document outside its pages. */
async function readAround(document: Document): Promise<string[]> {
  const { info, metadata } = await document.getMetadata()
  const around = await Promise.all([
    document.getOutline(),
    document.getAttachments(),
    document.getFieldObjects(),
    document.getJSActions(),
    document.getDestinations(),
    document.getPageLabels(),
    document.getOpenAction(),
  ])
  return [metadata?.getRaw() ?? '', ...[info, ...around].map((one) => stringify(one))]
}

/** Serializes a value. Annotations may refer to their parents; maps and bytes would become empty objects. */
function stringify(value: unknown): string {
  const seen = new Set<unknown>()
  const written = JSON.stringify(value, (_, one) => {
    if (typeof one !== 'object' || one === null) return one
    if (seen.has(one)) return undefined
    seen.add(one)
    if (one instanceof Map) return [...one]
    return ArrayBuffer.isView(one) ? undefined : one
  })
  // JSON escapes (line breaks, quotes) would corrupt the adjacent text.
  return (written ?? '').replace(/\\[nrt]/g, '\n').replace(/\\(["\\])/g, '$1')
}
