import { parentPort, workerData } from 'node:worker_threads'
import { type FingerprintJob, fingerprintMessage } from './fingerprint-message.ts'

const { raw, about } = workerData as { raw: Uint8Array<ArrayBuffer>; about: FingerprintJob }
parentPort?.postMessage(fingerprintMessage(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), about))
