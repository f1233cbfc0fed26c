import { parentPort, workerData } from 'node:worker_threads'
import { type AboutPrint, printMessage } from './print-message.ts'

const { raw, about } = workerData as { raw: Uint8Array<ArrayBuffer>; about: AboutPrint }
parentPort?.postMessage(printMessage(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), about))
