/** A page as a browser shows it: its address after all redirects, and its HTML. */
export type Shown = { url: URL; status: number; html: string }

/** Lists the page that a visitor sees now, or that is at an address, with the status and a text by which it is recognized. */
export type List = (
  name: string,
  visitor: Visitor,
  page: string | Shown,
  marks?: { status?: number; shows?: string },
) => Promise<void>

type Fields = Record<string, string>

/** A browser without script: it keeps cookies, follows redirects, and submits forms with their hidden fields. */
export class Visitor {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  /** `origin` is where paths are opened. */
  constructor(origin: string) {
    this.#origin = origin
  }

  /** The value of the Cookie header. */
  get cookie(): string {
    return cookieHeader([...this.#cookies])
  }

  /** The Cookie header without the message of the last form, which a page shows for some seconds or minutes. */
  get cookieWithoutMessage(): string {
    return cookieHeader([...this.#cookies].filter(([name]) => name !== 'postern-flash'))
  }

  open(address: string): Promise<Shown> {
    return this.#go(new URL(address, this.#origin), { method: 'GET' })
  }

  /** Submits the form of a page that posts to `action`. */
  submit({ url, html }: Shown, action: string, fields: Fields = {}): Promise<Shown> {
    const form = html.match(/<form\b[^>]*>[\s\S]*?<\/form>/g)?.find((one) => one.includes(`action="${action}"`))
    if (!form) throw new Error(`${url.pathname} has no form for ${action}.`)
    return this.post(new URL(action, url).href, { ...hiddenFields(form), ...fields })
  }

  post(address: string, fields: Fields): Promise<Shown> {
    return this.#go(new URL(address, this.#origin), { method: 'POST', body: new URLSearchParams(fields) })
  }

  async #go(url: URL, { method, body }: { method: string; body?: URLSearchParams }): Promise<Shown> {
    const headers = { cookie: this.cookie, ...(body && { 'sec-fetch-site': 'same-origin' }) }
    const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body && { body }) })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    const { status } = answer
    const html = await answer.text()
    const location = answer.headers.get('location')
    const next = new URL(location ?? url, url)
    // An app's address does not exist here.
    if (next.hostname !== url.hostname) return { url: next, status, html }
    if (location) return this.#go(next, { method: 'GET' })
    // Pages that show an error have the status 400 or 404.
    if (![200, 400, 404].includes(status)) throw new Error(`${url.pathname} was answered with ${status}.`)
    return { url, status, html }
  }

  #keep(line: string) {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/;\s*max-age=0/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, pair.slice(name.length + 1))
  }
}

const cookieHeader = (cookies: [string, string][]) => cookies.map(([name, value]) => `${name}=${value}`).join('; ')

function hiddenFields(form: string): Fields {
  const inputs = form.match(/<input\b[^>]*type="hidden"[^>]*>/g) ?? []
  const of = (input: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? ''
  return Object.fromEntries(inputs.map((input) => [of(input, 'name'), of(input, 'value').replaceAll('&amp;', '&')]))
}

/** Returns the address of the first link that begins with the pattern. */
export function linkIn(html: string, pattern: string): string {
  const [, href] = new RegExp(`href="(${pattern}[^"]*)"`).exec(html) ?? []
  if (!href) throw new Error(`The page has no link to ${pattern}.`)
  return href.replaceAll('&amp;', '&')
}
