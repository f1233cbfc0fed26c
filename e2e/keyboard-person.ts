import type { Page } from '@playwright/test'
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
    const seen = await control.evaluate(focusOf)
    expect([this.page.url(), selector, seen]).toEqual([this.page.url(), selector, 'shown'])
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

/** Returns what is wrong with the focus of a control. Runs in the page. */
function focusOf(control: Element): string {
  const { left, right, top, bottom, width } = control.getBoundingClientRect()
  const label = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
  // The row around a radio button, or the drawn label of a hidden one, shows the focus in its place.
  const drawn = [
    control,
    control.parentElement ?? control,
    ...label.flatMap((one) => [one, ...one.querySelectorAll('*')]),
  ]
  const isRinged = (one: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  }
  if (!drawn.some((one) => isRinged(one) || isRinged(one, '::before'))) return 'shows no focus'
  if (top >= innerHeight || bottom <= 0) return 'is outside the window'
  if (width < 4) return 'shown'
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const hit = document.elementFromPoint(x, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2)
  return hit && [control, ...label].some((one) => one.contains(hit) || hit.contains(one)) ? 'shown' : 'is covered'
}
