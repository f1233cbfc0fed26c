import { createHook } from 'node:async_hooks'

const kept: object[] = []

/**
 * Keeps `process.nextTick` fast by holding one of the objects that it queues. Without any such object, a full garbage
 * collection drops their hidden class. V8 24's code for the literal in `nextTick` expects that class, and never learns
 * the next one: each call then takes 0.5 to 1 µs instead of 0.1, and a request makes about eight.
 */
export function keepTicksFast() {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.push(resource)
    },
  })
  hook.enable()
  process.nextTick(() => undefined)
  hook.disable()
}
