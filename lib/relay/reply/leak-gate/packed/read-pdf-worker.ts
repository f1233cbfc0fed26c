import { type MessagePort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'

/** The texts of a PDF, with words joined as a viewer joins them, and its attached files. */
export type PdfContent = { texts: string[]; files: { name: string; bytes: Uint8Array }[] }

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
/** `port` receives documents and sends their content; `done` is set to 1 after each answer. */
export type ReaderSetUp = { port: MessagePort; done: Int32Array<SharedArrayBuffer> }

const { port, done } = workerData as ReaderSetUp

const longestArray = 64 * 2 ** 20

// The resource limits of a worker thread do not cover array buffers, so a stream that unpacks to gigabytes would end the
// whole process.
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args, newTarget) {
    if (typeof args[0] === 'number' && args[0] > longestArray) throw new RangeError('The document unpacks to too much.')
    return Reflect.construct(target, args, newTarget)
  },
})
// Without DecompressionStream, the library uses its own decompressor. That one grows an array step by step, so the limit
// above applies.
Object.assign(globalThis, { DecompressionStream: undefined })

port.on('message', async (file: Uint8Array<ArrayBuffer>) => {
  // The answer is undefined for a document that cannot be opened.
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

/** Returns the text of a document outside its pages, such as metadata, outline and scripts. */
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

/**
 * Serializes a value. Omits repeated objects, because annotations refer to their parents, omits bytes, and writes
 * maps as arrays.
 */
function stringify(value: unknown): string {
  const seen = new Set<unknown>()
  const written = JSON.stringify(value, (_, one) => {
    if (typeof one !== 'object' || one === null) return one
    if (seen.has(one)) return undefined
    seen.add(one)
    if (one instanceof Map) return [...one]
    return ArrayBuffer.isView(one) ? undefined : one
  })
  // The letter of an escape such as `\n` would adjoin an address and look like a part of it.
  return (written ?? '').replace(/\\[nrt]/g, '\n').replace(/\\(["\\])/g, '$1')
}
