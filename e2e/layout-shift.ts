import type { Page } from '@playwright/test'

/**
 * Returns each layout shift of the page that no input caused, with the elements that moved (Layout Instability,
 * https://wicg.github.io/layout-instability/).
 */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const shifts: string[] = []
        const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
        const nameOf = (node: Node | null) =>
          node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? 'removed').slice(0, 80)
        const add = (list: PerformanceObserverEntryList) => {
          for (const { hadRecentInput, value, sources } of list.getEntries() as LayoutShift[]) {
            const moved = sources.map(
              ({ node, previousRect, currentRect }) =>
                `${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
            )
            if (!hadRecentInput) shifts.push([`shift of ${value}`, ...moved].join(': '))
          }
        }
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)))
      }),
  )

/** An entry of the performance timeline, which TypeScript does not know. */
type LayoutShift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}
