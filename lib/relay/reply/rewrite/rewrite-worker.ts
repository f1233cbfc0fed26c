import { parentPort, workerData } from 'node:worker_threads'
import type { RewriteJob } from './rewrite-job.ts'
import { rewriteReply } from './rewrite-reply.ts'

const { raw, about } = workerData as { raw: Uint8Array<ArrayBuffer>; about: RewriteJob }
const { knownIds, ...rest } = about

parentPort?.postMessage(
  rewriteReply(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...rest,
    mapMessageId: (id) => knownIds.get(id),
  }),
)
