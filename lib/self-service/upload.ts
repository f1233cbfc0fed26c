import type { PageForm } from '#lib/journey/form'

/** A form with files in it (RFC 7578); undefined when it is not one or cannot be read. */
export async function readUpload(request: Request): Promise<UploadForm | undefined> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data')) return undefined
  const values = await request.formData().catch(() => undefined)
  if (!values) return undefined
  const texts = (name: string) => values.getAll(name).filter((value) => typeof value === 'string')
  return {
    get: (name) => texts(name)[0] ?? '',
    all: texts,
    async file(name) {
      const value = values.get(name)
      return value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : new Uint8Array()
    },
  }
}

/** A file that was not chosen is empty. */
export type UploadForm = PageForm & { file(name: string): Promise<Uint8Array> }
