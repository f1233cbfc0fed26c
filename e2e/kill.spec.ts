import { sha256 } from '#lib/crypto/hash'
import { freshDatabaseUrl, startPostgres } from '#lib/testing/databases/postgres-server'
import { makeChance } from '#lib/testing/oauth/chance'
import { openLine } from '#lib/testing/relay/line'
import { makeStock } from '../bench/postern-stock.ts'
import type { Stock } from '../bench/server.ts'
import { inFull } from './in-full.ts'
import { expect, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const rounds = inFull ? 60 : 6
const apps = 8
/** Seconds in which a rotated refresh token still returns its successor (REFRESH_RETRY_SECONDS). */
const retrySeconds = 30

type Answer = { status: number; body: { error?: string; refresh_token?: string } }
type Form = Record<string, string>

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('spends no code twice and loses no received refresh token, at any moment of kill -9', async () => {
  // Each restart takes several seconds.
  test.setTimeout(600_000)
  const seed = Date.now() % 2 ** 32
  test.info().annotations.push({ type: 'seed', description: String(seed) })
  const chance = makeChance(seed)
  const server = await ServerProcess.start()
  undo.push(() => server.remove())
  // Each start adds an exit listener, which ends the server together with this process.
  process.setMaxListeners(rounds + 20)
  const stock = await makeStock(`file:${server.dataDir}/postern.db`, tokenEndpoint(server), 'codes', 40 * rounds)
  const crowd = Array.from({ length: apps }, () => new App(server, stock, () => chance.below(8)))

  for (let round = 0; round < rounds; round++) {
    // Kills after a number of sent requests or received answers: before, during and after the commits.
    const moment = { event: chance.pick(['sent', 'answered'] as const), count: 1 + chance.below(6 * apps) }
    let killed: Promise<void> | undefined
    const witness = (event: 'sent' | 'answered') => {
      if (event === moment.event && --moment.count === 0) killed = server.kill()
    }
    await Promise.all(crowd.map((app) => app.workUntil(() => killed !== undefined, witness)))
    await killed
    await server.restart()
  }

  // Repeats the unanswered requests; afterwards the latest token of every chain must still be valid.
  await Promise.all(crowd.map((app) => app.finish()))
  expect(crowd.flatMap(({ problems }) => problems)).toEqual([])
  const spent = crowd.flatMap(({ successes }) => [...successes.entries()])
  expect(spent.filter(([, times]) => times > 1)).toEqual([])
  // Guards against an idle test: each round ended with requests in flight, and the apps were busy.
  const count = (name: 'unanswered' | 'refreshed') => crowd.reduce((sum, app) => sum + app[name], 0)
  expect(count('unanswered')).toBeGreaterThanOrEqual(rounds)
  expect(count('refreshed')).toBeGreaterThanOrEqual(rounds)
  expect(spent.filter(([, times]) => times === 1).length).toBeGreaterThanOrEqual(rounds)
})

test('answers deliberately while PostgreSQL is away, and loses nothing when it returns', async ({ page }) => {
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  const direct = new URL(await freshDatabaseUrl(postgres.url))
  const line = await openLine(Number(direct.port))
  undo.push(line.cut)
  const server = await ServerProcess.start({ DATABASE_URL: line.through(direct.href) })
  // Kills the server, because a stop would wait for the connections that the browser keeps open.
  undo.push(() => server.kill().then(() => server.remove()))
  const stock = await makeStock(direct.href, tokenEndpoint(server), 'refreshTokens', 2)
  const refresh = (token = '') => postForm(server, stock, refreshForm(token))
  const ready = async () => (await fetch(`${server.issuer}/readyz`)).status
  const unavailable = { status: 503, body: { error: 'temporarily_unavailable' } }
  await server.apply({ people: [person] })
  await page.goto(authorizationUrl(server, stock))
  await expect(page.locator('#signin-submit')).toBeVisible()

  await line.cut()
  // /readyz caches its answer for a second.
  await expect.poll(ready).toBe(503)
  for (const token of stock.values) expect(await refresh(token)).toMatchObject(unavailable)
  const submitted = page.waitForResponse(/signin.submit/)
  await signIn(page, person)
  expect((await submitted).status()).toBe(503)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/isn’t available right now/)

  await line.mend()
  await expect.poll(ready).toBe(200)
  for (const token of stock.values) expect(await refresh(token)).toMatchObject({ status: 200 })
  await page.goBack()
  await signIn(page, person)
  await expect(page.locator('#consent-allow')).toBeVisible()

  // PostgreSQL shuts down with open connections, on which it sends a final message.
  await postgres.stop()
  await expect.poll(ready).toBe(503)
  expect(await refresh(stock.values[0])).toMatchObject(unavailable)
})

const person = { username: 'ada', password: 'correct horse battery', name: 'Ada L.' }

function authorizationUrl(server: ServerProcess, { client, redirectUri, verifier }: Stock): string {
  const pkce = { code_challenge: sha256(verifier), code_challenge_method: 'S256' }
  const asked = { response_type: 'code', client_id: client.id, redirect_uri: redirectUri, scope: 'openid name' }
  return `${server.issuer}/oauth2/authorize?${new URLSearchParams({ ...asked, ...pkce, state: 'state' })}`
}

/** An app that retries an unanswered request unchanged. */
class App {
  /** The number of token responses for each code. */
  readonly successes = new Map<string, number>()
  readonly problems: string[] = []
  unanswered = 0
  refreshed = 0
  readonly #shelved: string[] = []
  #current: { form: Form; unansweredSince?: number }
  #left = 0
  readonly #server: ServerProcess
  readonly #stock: Stock
  readonly #chainLength: () => number

  constructor(server: ServerProcess, stock: Stock, chainLength: () => number) {
    this.#server = server
    this.#stock = stock
    this.#chainLength = chainLength
    this.#current = this.#nextCode()
  }

  async workUntil(over: () => boolean, witness: (event: 'sent' | 'answered') => void) {
    while (!over()) {
      const sent = postForm(this.#server, this.#stock, this.#current.form)
      witness('sent')
      const answer = await sent
      if (answer) witness('answered')
      this.#take(answer)
    }
  }

  /** Repeats the unanswered request, refreshes every chain from its latest token, and replays every code. */
  async finish() {
    this.#take(await postForm(this.#server, this.#stock, this.#current.form))
    if (this.#current.form.refresh_token) this.#shelved.push(this.#current.form.refresh_token)
    for (const token of this.#shelved) {
      const answer = await postForm(this.#server, this.#stock, refreshForm(token))
      if (answer?.status !== 200) this.problems.push(`a received refresh token is lost: ${show(answer)}`)
    }
    for (const code of this.successes.keys()) {
      const answer = await postForm(this.#server, this.#stock, codeForm(this.#stock, code))
      if (answer?.status === 200) this.#count(code)
      else if (!isDeliberate(answer)) this.problems.push(`a code shown again is answered ${show(answer)}`)
    }
  }

  #take(answer: Answer | undefined) {
    const { form, unansweredSince } = this.#current
    const { code, refresh_token: token } = form
    if (code && !this.successes.has(code)) this.successes.set(code, 0)
    if (!answer) {
      this.unanswered++
      this.#current = { form, unansweredSince: unansweredSince ?? Date.now() }
      return
    }
    if (answer.status === 200 && answer.body.refresh_token) {
      if (code) {
        this.#count(code)
        this.#left = this.#chainLength()
      } else this.refreshed++
      return this.#goOn(answer.body.refresh_token)
    }
    // A code without an answer may be spent; a refresh token is answered again within the retry window.
    const tooLate = unansweredSince !== undefined && Date.now() - unansweredSince > (retrySeconds - 1) * 1000
    const isFair = isDeliberate(answer) && (code ? unansweredSince !== undefined : tooLate)
    if (!isFair) this.problems.push(`${token ? 'a refresh' : 'a code'} is answered ${show(answer)}`)
    this.#current = this.#nextCode()
  }

  #goOn(token: string) {
    if (this.#left-- > 0 || this.#stock.values.length === 0) this.#current = { form: refreshForm(token) }
    else {
      this.#shelved.push(token)
      this.#current = this.#nextCode()
    }
  }

  #nextCode() {
    const code = this.#stock.values.pop()
    if (code === undefined) throw new Error('There are too few codes for so many rounds.')
    return { form: codeForm(this.#stock, code) }
  }

  #count(code: string) {
    this.successes.set(code, (this.successes.get(code) ?? 0) + 1)
  }
}

const isDeliberate = (answer: Answer | undefined) => answer?.status === 400 && answer.body.error === 'invalid_grant'
const show = (answer: Answer | undefined) => JSON.stringify(answer ?? 'nothing')
const tokenEndpoint = (server: ServerProcess) => `${server.issuer}/oauth2/token`
const refreshForm = (token: string): Form => ({ grant_type: 'refresh_token', refresh_token: token })
const codeForm = ({ redirectUri, verifier }: Stock, code: string): Form => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

/** Posts to the token endpoint. Returns undefined when no complete answer arrived. */
async function postForm(server: ServerProcess, { client }: Stock, form: Form): Promise<Answer | undefined> {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  try {
    const body = new URLSearchParams(form)
    const answer = await fetch(tokenEndpoint(server), { method: 'POST', headers: { authorization }, body })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, body: isJson ? JSON.parse(text) : {} }
  } catch {
    return undefined
  }
}
