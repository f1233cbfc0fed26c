import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import type { Budget } from './inflate.ts'
import type { PdfContent, ReaderSetUp } from './read-pdf-worker.ts'

/**
 * Returns the content of a PDF as a viewer shows it: its texts and attached files. A worker thread reads the document
 * while this thread waits, so that a hostile document costs bounded time and memory. Throws UnreadableContent for a
 * document that needs a password, is broken, or takes too long.
 */
export function readPdf(file: Buffer, budget: Budget): PdfContent {
  const began = Date.now()
  const content = budget.pdfMilliseconds > 0 ? ask(file, budget.pdfMilliseconds) : undefined
  budget.pdfMilliseconds -= Date.now() - began
  if (content) return content
  // Without streams nothing in a PDF is compressed, so the search of the file's bytes finds all its content.
  if (file.includes('stream') || file.includes('/Encrypt')) throw new UnreadableContent('packed')
  return { texts: [], files: [] }
}

type Reader = { worker: Worker; port: MessagePort; done: Int32Array<SharedArrayBuffer> }

/** The worker is kept for the next document, because starting a thread takes longer than reading a page. */
let reader: Reader | undefined

function ask(file: Buffer, limit: number): PdfContent | undefined {
  reader ??= startReader()
  const { worker, port, done } = reader
  Atomics.store(done, 0, 0)
  port.postMessage(Uint8Array.from(file))
  Atomics.wait(done, 0, 0, limit)
  const answer = receiveMessageOnPort(port) as { message: PdfContent | undefined } | undefined
  if (!answer?.message) {
    // The document could not be opened, or the worker is out of memory or still busy. The next document gets a new
    // worker.
    reader = undefined
    port.close()
    void worker.terminate()
  }
  return answer?.message
}

function startReader(): Reader {
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./read-pdf-worker.ts', import.meta.url), {
    workerData: { port: port2, done } satisfies ReaderSetUp,
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // Without a listener, a worker that runs out of memory would end the process.
  worker.on('error', () => {})
  worker.unref()
  return { worker, port: port1, done }
}
