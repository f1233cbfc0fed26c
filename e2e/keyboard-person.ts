import type { Page } from '@playwright/test'
import { problemsOfFocus } from './keyboard-focus.ts'
import { expect } from './postern.ts'
import { problemsReadAloud } from './read-aloud.ts'

/** More stops than any page has before the control that a person looks for. */
const mostStops = 60

/** A person without a pointer. Every control has to be reached by Tab, to show its focus, and to be uncovered. */
export class KeyboardPerson {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Presses Tab until the control has the focus. */
  async reach(selector: string): Promise<void> {
    const control = this.page.locator(selector).first()
    await control.waitFor({ state: 'attached' })
    await this.page.waitForLoadState('load')
    const hasFocus = () => control.evaluate((one) => one === document.activeElement)
    for (let stop = 0; !(await hasFocus()); stop++) {
      expect(stop, `Tab does not reach ${selector} on ${this.page.url()}`).toBeLessThan(mostStops)
      await this.page.keyboard.press('Tab')
    }
    const problems = await control.evaluateAll(problemsOfFocus)
    expect([this.page.url(), problems]).toEqual([this.page.url(), []])
  }

  /** Replaces the text of a field. */
  async type(selector: string, text: string): Promise<void> {
    await this.reach(selector)
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.type(text)
  }

  /** Presses a button or follows a link, after a screen reader could name everything on the page. */
  async press(selector: string, key = 'Enter'): Promise<void> {
    await this.reach(selector)
    expect([this.page.url(), await problemsReadAloud(this.page)]).toEqual([this.page.url(), []])
    await this.page.keyboard.press(key)
  }
}
