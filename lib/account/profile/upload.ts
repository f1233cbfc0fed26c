import type { PageForm } from '#lib/http/form'
import { boundaryOf, readParts } from './multipart.ts'

/** A form with files (RFC 7578); a file that was not chosen is empty. */
export type UploadForm = PageForm & { file(name: string): Uint8Array }

const limits = { parts: 10, text: 1024 }

/** Reads a form with files; 'too_large' for a file above `mostBytes`, undefined for a malformed body or another type. */
export async function readUpload(request: Request, mostBytes: number): Promise<UploadForm | 'too_large' | undefined> {
  const boundary = boundaryOf(request.headers.get('content-type') ?? '')
  if (boundary === undefined || request.body === null) return undefined
  const parts = await readParts(request.body, boundary, { ...limits, file: mostBytes })
  if (!Array.isArray(parts)) return parts
  const texts = (name: string) =>
    parts.filter((part) => part.name === name && !part.isFile).map(({ bytes }) => bytes.toString('utf8'))
  return {
    get: (name) => texts(name)[0] ?? '',
    all: texts,
    file: (name) => parts.find((part) => part.name === name && part.isFile)?.bytes ?? new Uint8Array(),
  }
}
