import type { IncomingMessage } from 'node:http'
import { Refusal } from './refuse.ts'

/** The exports of a `route.ts`: web-standard handlers by method. */
export type RouteModule = Partial<Record<Method, Handler>> & {
  /** The largest body in bytes, if a form may exceed the ordinary limit; the handler reads the body as a stream. */
  bodyLimit?: number
  /** Whether the route serves the pictures of pages. */
  isPicture?: boolean
}
export type Handler = (request: Request) => Response | Promise<Response>
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Returns the handlers of a path; undefined if the table has no such path. */
export type Routes = { find(path: string): { template: string; module: RouteModule } | undefined }

/**
 * Makes a table of handlers by path template, in which `{}` stands for one segment that is not empty, and `{...}` at the
 * end for the rest of the path. A literal segment takes precedence, as in Next.
 */
export function routeTable(routes: Record<string, RouteModule>): Routes {
  const exact = new Map(Object.entries(routes))
  const root: Branch = { next: new Map() }
  for (const template of exact.keys()) if (template.includes('{')) addTemplate(root, template)
  const matched = (path: string) => (root.next.size > 0 ? matchSegments(root, path.split('/')) : undefined)
  return {
    find(path) {
      const template = exact.has(path) ? path : matched(path)
      const module = template === undefined ? undefined : exact.get(template)
      return template !== undefined && module ? { template, module } : undefined
    },
  }
}

/** A tree of templates: `template` ends at this branch, `next` holds the branches of the next segment. */
type Branch = { template?: string; next: Map<string, Branch> }

function addTemplate(root: Branch, template: string): void {
  let branch = root
  for (const segment of template.split('/')) {
    const next = branch.next.get(segment) ?? { next: new Map() }
    branch.next.set(segment, next)
    branch = next
  }
  branch.template = template
}

function matchSegments(branch: Branch | undefined, [segment, ...rest]: string[]): string | undefined {
  if (!branch || segment === undefined) return branch?.template
  const literal = matchSegments(branch.next.get(segment), rest)
  if (literal !== undefined || segment === '') return literal
  return matchSegments(branch.next.get('{}'), rest) ?? branch.next.get('{...}')?.template
}

/** Returns the path of a request target in origin form (RFC 9112 §3.2.1); refuses every other form. */
export function pathOf(target: string): string {
  // Almost every target is a plain path.
  if (/^(\/[\w.-]+)+$/.test(target)) return target
  // Non-ASCII bytes have no meaning in a target, so two parsers may read them differently (RFC 3986 §2).
  if (!target.startsWith('/') || target.startsWith('//') || /[^\x21-\x7e]/.test(target)) throw unparsable()
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (path.includes('\\')) throw unparsable()
  try {
    if (decodeURIComponent(path).includes('\0')) throw unparsable()
  } catch {
    throw unparsable()
  }
  return path
}

/**
 * Refuses a request whose Host header is repeated, absent, empty or malformed (RFC 9112 §3.2), because a proxy in front
 * may have read another host. A health check may omit the header, as HTTP/1.0 allows.
 */
export function checkHost({ rawHeaders, headers: { host } }: IncomingMessage, { mayBeAbsent = false } = {}) {
  if (rawHeaders.length > 2 * mostHeaders) throw new Refusal(431, 'The request has too many headers.')
  const count = hostCount(rawHeaders)
  if (count === 0 && mayBeAbsent) return
  if (count !== 1 || !hostForm.test(host ?? '')) throw new Refusal(400, 'The Host header cannot be read.')
}

/** Returns how many Host headers a request has. */
export function hostCount(rawHeaders: string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && /^host$/i.test(name)) count += 1
  }
  return count
}

const mostHeaders = 100
const hostForm = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

const unparsable = () => new Refusal(400, 'The request target cannot be read.')
