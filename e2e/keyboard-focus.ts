import type { Page } from '@playwright/test'

/** Everything that a person without a pointer has to reach. */
const controls = 'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary'

/**
 * Gives the focus of a keyboard to each control of the page in turn, and returns what is wrong with it. The page keeps its
 * scroll position.
 */
export async function focusProblems(page: Page): Promise<string[]> {
  // After a key, the page shows the focus that a script moves as it shows the focus that Tab moves.
  await page.keyboard.press('Tab')
  const before = await page.evaluate(() => scrollY)
  const problems = await page.locator(controls).evaluateAll(problemsOfFocus)
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), before)
  return problems
}

/** Returns what is wrong with the focus of these controls, each in one sentence. Runs in the page. */
export function problemsOfFocus(controls: Element[]): string[] {
  const isRinged = (one: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  }
  const problemOf = (control: HTMLElement) => {
    if (document.activeElement !== control) control.focus()
    if (document.activeElement !== control || control.tabIndex < 0) return 'is not reached by Tab'
    const { left, right, top, bottom, width } = control.getBoundingClientRect()
    const label = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
    // The row around a radio button, or the drawn label of a hidden one, shows the focus in its place.
    const drawn = [
      control,
      control.parentElement ?? control,
      ...label.flatMap((one) => [one, ...one.querySelectorAll('*')]),
    ]
    if (!drawn.some((one) => isRinged(one) || isRinged(one, '::before'))) return 'shows no focus'
    if (top >= innerHeight || bottom <= 0) return 'is outside the window'
    if (width < 4) return undefined
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
    const hit = document.elementFromPoint(x, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2)
    const isHit = hit !== null && [control, ...label].some((one) => one.contains(hit) || hit.contains(one))
    return isHit ? undefined : 'is covered'
  }
  // An open dialog keeps the rest of the page from the keyboard.
  const within = document.querySelector('dialog:modal') ?? document
  return (controls as HTMLElement[])
    .filter((control) => within.contains(control) && control.checkVisibility({ visibilityProperty: true }))
    .flatMap((control) => {
      const problem = problemOf(control)
      return problem ? [`${control.outerHTML.slice(0, 200)} ${problem}`] : []
    })
}
