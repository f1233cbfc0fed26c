/** Lets one holder in at a time, first come, first served; free only when nobody is inside and nobody waits. */
export function makeTurnstile() {
  let inside = 0
  let last: Promise<void> = Promise.resolve()
  return {
    isFree: () => inside === 0,
    enter(): Promise<() => void> {
      inside++
      const before = last
      const { promise, resolve: open } = Promise.withResolvers<void>()
      last = promise
      let left = false
      const leave = () => {
        if (left) return
        left = true
        inside--
        open()
      }
      return before.then(() => leave)
    },
  }
}

export type Turnstile = ReturnType<typeof makeTurnstile>
