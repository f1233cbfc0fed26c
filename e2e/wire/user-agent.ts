import { setTimeout as sleep } from 'node:timers/promises'
import { decodeHTML } from 'entities'
import type { Changes, Client } from './client.ts'
import { type Person, type Provider, people, type Sent } from './provider.ts'

/** A form of a page with the fields that a browser would send, except that every checkbox is ticked. */
export type Form = { action: URL; method: string; fields: [name: string, value: string][] }

/** The end of a chain of redirects: a page of Postern, or an address of an app, to which no request is sent. */
export type Page = {
  url: URL
  status: number
  headers: Headers
  text: string
  isApp: boolean
  /** The parameters that reached the app, in its redirect URI or in a form that submits itself (form_post). */
  returned: Record<string, string> | undefined
  forms: Form[]
}

type AgentOptions = { person?: Person; address?: string; headers?: Record<string, string> }

/** Opens a new user agent of a person, Ada by default, with a cookie jar and an address of its own. */
export const openAgent = (provider: Provider, options: AgentOptions = {}): UserAgent => new UserAgent(provider, options)

/** A browser without script: it keeps cookies, follows the redirects of Postern, and submits forms. */
export class UserAgent {
  /** The cookies of each host. */
  readonly cookies = new Map<string, Map<string, string>>()
  readonly #provider: Provider
  readonly #person: Person
  readonly #headers: Record<string, string>

  constructor(provider: Provider, { person = people.ada, address = provider.newAddress(), headers }: AgentOptions) {
    this.#provider = provider
    this.#person = person
    this.#headers = { 'x-forwarded-for': address, 'accept-language': 'en', ...headers }
  }

  /** Sends a request, and follows redirects until a page or an address of an app. */
  async open(address: string | URL, init: Sent = {}): Promise<Page> {
    let [url, sent] = [new URL(address, this.#provider.accountUrl), init]
    for (let hop = 0; hop < 12; hop++) {
      const jar = this.cookies.get(url.host) ?? new Map<string, string>()
      const cookie = jar.size > 0 ? [...jar].map(([name, value]) => `${name}=${value}`).join('; ') : undefined
      const answer = await this.#provider.send(url, { ...sent, headers: { ...this.#headers, cookie, ...sent.headers } })
      this.#keep(url.host, answer.headers)
      const location = answer.headers.get('location')
      const next = new URL(location ?? url, url)
      if (location === null || !this.#isPostern(next)) return this.#pageOf(next, answer, location !== null)
      url = next
      sent = {}
    }
    throw new Error(`The redirects do not end. The last one leads to ${url}`)
  }

  /** Submits a form. A given field replaces the one of the form; undefined omits it, an array repeats it. */
  async submit(form: Form | undefined, fields: Changes = {}): Promise<Page> {
    if (!form) throw new Error('The page has no such form.')
    const body = new URLSearchParams(form.fields)
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name)
      for (const one of [value ?? []].flat()) body.append(name, one)
    }
    const headers = { origin: form.action.origin, 'sec-fetch-site': 'same-origin' }
    const send = () => this.open(form.action, { method: 'POST', form: body, headers })
    const page = await send()
    const wait = page.headers.get('retry-after')
    if (page.status !== 503 || wait === null) return page
    // The machine is busy, and the page says when to try again.
    await sleep(Number(wait) * 1000)
    return send()
  }

  /**
   * Opens an authorization request of an app, signs in, and allows if asked. Returns the parameters that reached the
   * app.
   */
  async authorize(client: Client, parameters: Changes = {}): Promise<Record<string, string>> {
    return this.finish(await this.open(await client.authorizationUrl(parameters)))
  }

  /** Signs in and allows until the app has an answer. Returns its parameters. */
  async finish(start: Page): Promise<Record<string, string>> {
    let page = start
    for (let step = 0; step < 4; step++) {
      if (page.returned) return page.returned
      const signIn = formOf(page, '/signin/submit')
      if (signIn) page = await this.signIn(page)
      else if (formOf(page, '/consent/submit')) page = await this.submit(formOf(page, '/consent/submit'))
      else throw new Error(`The authorization ends at ${page.url} (${page.status}): ${plain(page.text)}`)
    }
    if (page.returned) return page.returned
    throw new Error(`The authorization does not end. The last page is ${page.url}`)
  }

  /** Submits the sign-in page. */
  signIn(page: Page, { username, password }: Person = this.#person): Promise<Page> {
    return this.submit(formOf(page, '/signin/submit'), { username, password })
  }

  #isPostern({ origin }: URL): boolean {
    return origin === this.#provider.issuer || origin === this.#provider.accountUrl
  }

  #keep(host: string, headers: Headers) {
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; *max-age=0(;|$)/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    this.cookies.set(host, jar)
  }

  #pageOf(
    url: URL,
    { status, headers, text }: { status: number; headers: Headers; text: string },
    isApp: boolean,
  ): Page {
    const forms = formsOf(text, url)
    const posted = forms.find(({ action }) => !this.#isPostern(action))
    const returned = isApp ? [...url.searchParams] : posted?.fields
    return { url, status, headers, text, isApp, returned: returned && Object.fromEntries(returned), forms }
  }
}

/** Returns the form of a page that is submitted to this path. */
export const formOf = ({ forms }: Page, path: string): Form | undefined =>
  forms.find(({ action }) => action.pathname === path)

function formsOf(html: string, base: URL): Form[] {
  return [...html.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([text]) => {
    const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([input]) => input)
    const sent = inputs.filter((input) => attribute(input, 'type') !== 'radio' || / checked/.test(input))
    const fields = sent.map((input): [string, string] => [attribute(input, 'name'), attribute(input, 'value')])
    return {
      action: new URL(attribute(text, 'action'), base),
      method: attribute(text, 'method').toUpperCase() || 'GET',
      fields: fields.filter(([name]) => name !== ''),
    }
  })
}

const attribute = (tag: string, name: string) => decodeHTML(new RegExp(`^[^>]* ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** Returns the words of a page. */
export const plain = (html: string): string =>
  decodeHTML(html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2000)
