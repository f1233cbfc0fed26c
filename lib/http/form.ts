import { collectParameters } from './form-parameters.ts'

/** A form of ours, with every value of a repeated field (checkboxes); undefined when it is not a form at all. */
export async function readPageForm(request: Request): Promise<PageForm | undefined> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const text = await request.text()
  // URLSearchParams accepts broken encoding and NUL.
  if (!collectParameters(text, new Set())) return undefined
  const values = new URLSearchParams(text)
  return { get: (name) => values.get(name) ?? '', all: (name) => values.getAll(name) }
}

export type PageForm = { get(name: string): string; all(name: string): string[] }
