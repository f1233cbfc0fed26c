import type { Locator, Page } from '@playwright/test'

const seconds = { key: 0.3, click: 1, word: 60 / 240 }

/** A person who reads each page, clicks and types. Counts what that takes, so the result does not depend on the machine. */
export class CountedPerson {
  readonly page: Page
  keys = 0
  clicks = 0
  words = 0
  pages = 0

  constructor(page: Page) {
    this.page = page
  }

  get seconds() {
    return this.keys * seconds.key + this.clicks * seconds.click + this.words * seconds.word
  }

  /** Types an address, and reads the page. */
  async open(url: string) {
    this.keys += url.length + 1
    await this.page.goto(url)
    await this.read()
  }

  async type(field: string, text: string) {
    this.clicks += 1
    this.keys += text.length
    await this.page.locator(field).fill(text)
  }

  /** Clicks, and reads the page that follows. */
  async press(target: Locator, next: (url: URL) => boolean) {
    this.clicks += 1
    await target.click()
    await this.page.waitForURL(next)
    await this.read()
  }

  /** Copies a block of code with one click, and returns its text. */
  async copy(id: string): Promise<string> {
    this.clicks += 1
    await this.page.locator(`[data-copy=${id}]`).click()
    return (await this.page.locator(`#${id}`).textContent()) ?? ''
  }

  /** Pastes something elsewhere, and confirms it. */
  paste() {
    this.keys += 3
  }

  /**
   * Reads the lines of the page that no earlier page had, because a person does not read the navigation again. Code is copied and not
   * read.
   */
  protected async read() {
    this.pages += 1
    const code = await this.page.locator('pre').allTextContents()
    for (const line of linesOf(code.join('\n'))) this.#seen.add(line)
    // biome-ignore lint/performance/useDomNodeTextContent: textContent also has the texts that the page hides.
    const shown = linesOf(await this.page.locator('body').innerText())
    for (const line of shown.filter((one) => !this.#seen.has(one))) {
      this.#seen.add(line)
      this.words += line.split(/\s+/).filter(Boolean).length
    }
  }

  readonly #seen = new Set<string>()
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
