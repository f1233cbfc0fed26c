import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../wire/client.ts'
import type { Answer, Person, Provider } from '../wire/provider.ts'
import { formOf, openAgent } from '../wire/user-agent.ts'
import { Book, type Chain, isRefused, show } from './book.ts'
import { Observations } from './observations.ts'

/** Requests of each kind that must be answered well before a fault counts as over. */
const enough = 5

/**
 * People who sign in and apps that refresh and revoke, all the time. An app repeats a request unchanged until it is
 * answered; a person who sees an error page starts again.
 */
export class Driver {
  readonly book = new Book()
  readonly seen = new Observations()
  readonly #provider: Provider
  readonly #client: Client
  readonly #idle: Chain[] = []
  readonly #work: Promise<void>[]
  #isOver = false

  private constructor(provider: Provider, client: Client, people: Person[]) {
    this.#provider = provider
    this.#client = client
    this.#work = [
      ...people.map((person) => this.#signInAgain(person)),
      ...[0, 1, 2, 3].map((seed) => this.#useTokens(seed)),
    ]
  }

  static async start(provider: Provider, people: Person[]): Promise<Driver> {
    const driver = new Driver(provider, await provider.client('standard'), people)
    await driver.#waitForService(performance.now())
    return driver
  }

  /** Waits until the service has been available for a while. */
  async #waitForService(since: number) {
    const until = performance.now() + 120_000
    while (this.seen.goodSince(since) < enough) {
      if (performance.now() > until) throw new Error(`The service does not return: ${this.#said(since)}`)
      await pause(50)
    }
  }

  #said = (since: number) =>
    `people saw ${this.seen.statuses('people', since)}, apps ${this.seen.statuses('apps', since)}`

  /** Runs a fault and waits until the service is available again. Returns what was seen since the fault began. */
  async during<T>(fault: () => Promise<T>) {
    const since = performance.now()
    const result = await fault()
    await this.#waitForService(performance.now())
    return {
      result,
      people: this.seen.statuses('people', since),
      apps: this.seen.statuses('apps', since),
      outage: this.seen.outage(since),
      slowest: this.seen.slowest(since),
    }
  }

  /** Ends the work and compares the installation with the book. */
  async finish(): Promise<Book> {
    this.#isOver = true
    await Promise.all(this.#work)
    await this.book.check(this.#client)
    return this.book
  }

  async #signInAgain(person: Person) {
    while (!this.#isOver) {
      const chain = await this.#signIn(person)
      if (chain) this.#idle.push(chain)
      else await pause(100)
    }
  }

  async #signIn(person: Person): Promise<Chain | undefined> {
    const agent = openAgent(this.#provider, { person })
    const start = await this.#client.authorizationUrl()
    const asked = await this.seen.record('people', () => agent.open(start))
    if (!asked || !formOf(asked, '/signin/submit')) return
    const signedIn = await this.seen.record('people', () => agent.signIn(asked))
    if (!signedIn || signedIn.status >= 400) return
    this.book.sessions.push(agent)
    this.book.acknowledged++
    const consent = formOf(signedIn, '/consent/submit')
    const back = consent ? await this.seen.record('people', () => agent.submit(consent)) : signedIn
    return this.#exchange(back?.returned?.code)
  }

  async #exchange(code: string | undefined): Promise<Chain | undefined> {
    if (code === undefined) return
    const { answer, isFirst } = await this.#persist(() => this.#client.exchange({ code }))
    if (answer.status === 200) {
      const chain = { code, latest: answer.json().refresh_token, isRevoked: false }
      this.book.chains.push(chain)
      this.book.acknowledged++
      return chain
    }
    // A request without an answer may have spent the code.
    if (isFirst || !isRefused(answer)) this.book.lost.push(`a code: ${show(answer)}`)
    return
  }

  /** Refreshes tokens, and revokes one of ten. */
  async #useTokens(seed: number) {
    for (let turn = seed; !this.#isOver; turn++) {
      await pause(20)
      const chain = this.#idle.shift()
      if (!chain) continue
      if (turn % 10 === 0) await this.#revoke(chain)
      else if (await this.#refresh(chain)) this.#idle.push(chain)
    }
  }

  async #refresh(chain: Chain): Promise<boolean> {
    const { answer, began } = await this.#persist(() => this.#client.refresh(chain.latest))
    if (answer.status !== 200) {
      this.book.lost.push(`a refresh token: ${show(answer)}`)
      return false
    }
    chain.previous = { token: chain.latest, rotatedAt: began }
    chain.latest = answer.json().refresh_token
    this.book.acknowledged++
    return true
  }

  async #revoke(chain: Chain) {
    const { answer } = await this.#persist(() => this.#client.revoke(chain.latest))
    chain.isRevoked = true
    if (answer.status === 200) this.book.acknowledged++
    else this.book.lost.push(`the answer to a revocation: ${show(answer)}`)
  }

  /** Repeats a request of an app until it is answered with anything but an error of the service. */
  async #persist(send: () => Promise<Answer>): Promise<{ answer: Answer; isFirst: boolean; began: number }> {
    const began = performance.now()
    for (let isFirst = true; ; isFirst = false) {
      const answer = await this.seen.record('apps', send)
      if (answer && answer.status < 500 && answer.status !== 429) return { answer, isFirst, began }
      await pause(100)
    }
  }
}
