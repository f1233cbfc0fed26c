import type { Page } from '@playwright/test'

/**
 * Returns the layout shift of the page that no input caused, rounded to a ten-thousandth of the page (Layout Instability, https://wicg.github.io/layout-
 * instability/).
 */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        const add = (list: PerformanceObserverEntryList) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(Math.round(sum * 1e4) / 1e4)))
      }),
  )
