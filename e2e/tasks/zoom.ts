import type { Page } from '@playwright/test'

/** What a window of 1280 × 860 pixels shows at 400 %, and the smallest phone. */
export const zoomed = {
  '1280 px at 400 %': { viewport: { width: 320, height: 215 }, deviceScaleFactor: 4 },
  '320 px': { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2 },
}

/** Returns what a zoomed page does wrong: it scrolls sideways, or something covers a control that has the focus. */
export async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const wider = document.documentElement.scrollWidth - innerWidth
    const faults = wider > 0 ? [`scrolls ${wider} px sideways`] : []
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      if (!control.checkVisibility({ visibilityProperty: true })) continue
      control.focus()
      await new Promise(requestAnimationFrame)
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      // Inputs that only screen readers see have labels that are drawn in their place.
      if (document.activeElement !== control || width < 4) continue
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
      const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
      const hit = document.elementFromPoint(x, y)
      const label = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const isSeen = hit && [control, ...label].some((one) => one.contains(hit) || hit.contains(one))
      if (!isSeen) faults.push(`${control.id || control.textContent?.trim() || control.outerHTML} is covered`)
    }
    return faults
  })
}
