import type { Locator } from '@playwright/test'
import { CountedPerson } from '../counted-person.ts'

/** A person with a task. Waits for what the next page shows, because a form may lead back to its own address. */
export class TaskPerson extends CountedPerson {
  /** Opens a page by a bookmark or a link elsewhere. */
  async begin(url: string) {
    await this.page.goto(url)
    await this.read()
  }

  /** Presses the button of an app, whose own pages are not counted, and reads the page that shows `next`. */
  async comeFromApp(url: string, next: string) {
    await this.page.goto(url)
    await this.go('button', next)
  }

  /** Types into a field. A field that has the focus needs no click. */
  override async type(field: string, text: string) {
    const isFocused = await this.page.locator(field).evaluate((element) => element === document.activeElement)
    await super.type(field, text)
    if (isFocused) this.clicks -= 1
  }

  /** Ticks a box or chooses an option, unless the page has chosen it. */
  async choose(target: Locator) {
    if (await target.isChecked()) return
    this.clicks += 1
    await target.check()
  }

  /** Clicks, and reads the page that shows `next`. */
  async go(target: string, next: string) {
    this.clicks += 1
    await this.page.locator(target).first().click()
    await this.arrive(next)
  }

  /** Clicks, and ends the task with the page that shows `end`. */
  async finish(target: string, end: string) {
    this.clicks += 1
    await this.page.locator(target).first().click()
    await this.see(end)
  }

  /** Types a code, and presses the button where the page does not send the code itself. */
  async enter(code: string, button: string) {
    const field = this.page.locator('[name=code]')
    const isSent = /^\d{6}$/.test(code) && (await field.getAttribute('data-six-digits')) !== null
    await this.type('[name=code]', code)
    if (isSent) return
    this.clicks += 1
    await this.page.locator(button).click()
  }

  /** Reads the page that shows `next`. */
  async arrive(next: string) {
    await this.see(next)
    await this.page.waitForLoadState()
    await this.read()
  }

  /** Waits for what ends the task, which needs no reading. */
  async see(end: string) {
    await this.page.locator(end).first().waitFor()
  }
}
