import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { decodeHTML } from 'entities'

/** A person at a browser: follows redirects, keeps cookies, and fills in the forms of Postern. */
export class Browser {
  readonly #jar = new Map<string, string>()
  readonly #person: { username: string; password: string }

  constructor(person: { username: string; password: string }) {
    this.#person = person
  }

  /** Signs in at an app that starts at `url`. Returns the text that the app shows at the end. */
  async signIn(url: string): Promise<string> {
    let page = await this.#visit(new Request(url))
    // A sign-in has two pages: the password and the consent.
    for (let step = 0; step < 3; step++) {
      const form = formOf(page.text, page.url)
      if (!form) return page.text
      page = await this.#visit(this.#fillIn(form))
    }
    throw new Error(`The sign-in does not end. The last page is ${page.url}`)
  }

  #fillIn({ action, fields }: Form): Request {
    const body = new URLSearchParams(fields)
    if (body.has('username')) body.set('username', this.#person.username)
    if (body.has('password')) body.set('password', this.#person.password)
    // A relay address is chosen when the page opens. The real one shows that the app got this person's claims.
    if (body.has('email_choice')) body.set('email_choice', 'regular')
    return new Request(action, { method: 'POST', body, headers: { origin: action.origin } })
  }

  async #visit(first: Request): Promise<{ url: URL; text: string }> {
    let request = first
    for (let hop = 0; hop < 12; hop++) {
      const url = new URL(request.url)
      request.headers.set('cookie', [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await send(request)
      this.#keep(response)
      const location = response.headers.get('location')
      const text = await response.text()
      if (!location) {
        if (!response.ok) throw new Error(`${url.origin}${url.pathname} answers ${response.status}: ${plain(text)}`)
        return { url, text }
      }
      request = new Request(new URL(location, url))
    }
    throw new Error(`The redirects do not end. The last one leads to ${request.url}`)
  }

  /** Every server of the test is on localhost, and cookies do not depend on the port (RFC 6265 §8.5). */
  #keep(response: Response) {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; *max-age=0(;|$)/i.test(line)) this.#jar.delete(name)
      else this.#jar.set(name, value)
    }
  }
}

/** Sends a request as a browser does when the person opens a page; `fetch` sends the headers of a script. */
async function send(request: Request): Promise<Response> {
  const headers = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const options = { method: request.method, headers: { ...Object.fromEntries(request.headers), ...headers } }
  const outgoing = httpRequest(request.url, options).end(await request.text())
  // mod_auth_openidc sends further bytes after its error page, which Node reports as an error.
  outgoing.on('error', () => undefined)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const pairs = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(await text(incoming), { status: incoming.statusCode ?? 0, headers: pairs })
}

type Form = { action: URL; fields: [name: string, value: string][] }

/** Returns the form of the sign-in page or the consent page, with every box ticked. */
function formOf(page: string, base: URL): Form | null {
  const forms = [...page.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([text]) => text)
  const form = forms.find((text) => /^<form[^>]* action="[^"]*\/(signin|consent)\/submit"/.test(text))
  if (!form) return null
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([text]) => text)
  const sent = inputs.filter((input) => attribute(input, 'type') !== 'radio' || / checked/.test(input))
  const fields = sent.map((input): [string, string] => [attribute(input, 'name'), attribute(input, 'value')])
  return { action: new URL(attribute(form, 'action'), base), fields: fields.filter(([name]) => name !== '') }
}

const attribute = (tag: string, name: string) => decodeHTML(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

const plain = (text: string) =>
  text
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
