import { describe, expect, it } from 'vitest'
import { isOverloaded, makeFairQueue, type Share } from './fair-queue.ts'

const patient = { atOnce: 1, waiting: 100, patience: 60_000 }

/** A queue whose jobs end when the test ends them; `order` lists the jobs in the order of their start. */
function setUp(limits: Partial<Parameters<typeof makeFairQueue>[0]> = {}) {
  const inTurn = makeFairQueue({ ...patient, ...limits })
  const order: string[] = []
  const gates = new Map<string, () => void>()
  const ask = (key: string, name: string, signal?: AbortSignal, share?: Share) => {
    const work = () => {
      order.push(name)
      return new Promise<string>((resolve) => gates.set(name, () => resolve(name)))
    }
    return inTurn(key, work, signal, share).catch((fault) =>
      isOverloaded(fault) ? 'overloaded' : Promise.reject(fault),
    )
  }
  /** Ends the running jobs one after the other until none is left. */
  const drain = async () => {
    for (;;) {
      await new Promise(setImmediate)
      const [next] = gates
      if (!next) return
      gates.delete(next[0])
      next[1]()
    }
  }
  return { ask, drain, order }
}

describe('a queue in which keys take turns', () => {
  it('lets a new key pass a long line of another key', async () => {
    const { ask, drain, order } = setUp()
    const flood = Array.from({ length: 20 }, (_, at) => ask('flood', `flood ${at}`))
    const person = ask('person', 'person')
    await drain()
    expect(order.indexOf('person')).toBe(2)
    expect(await person).toBe('person')
    expect(await Promise.all(flood)).not.toContain('overloaded')
  })

  it('never runs more than its limit in total, nor more than the limit for one key', async () => {
    const { ask, drain, order } = setUp({ atOnce: 3, perKey: 1 })
    const all = ['a 1', 'a 2', 'b 1', 'c 1', 'd 1'].map((name) => ask(name.slice(0, 1), name))
    await new Promise(setImmediate)
    expect(order).toEqual(['a 1', 'b 1', 'c 1'])
    await drain()
    await Promise.all(all)
    expect(order).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'd 1'])
  })

  it('refuses the newest ticket of the longest line to admit another key', async () => {
    const { ask, drain } = setUp({ waiting: 4 })
    const running = ask('flood', 'running')
    const flood = ['1', '2', '3', '4'].map((name) => ask('flood', name))
    const person = ask('person', 'person')
    const late = ask('flood', 'late')
    await drain()
    expect(await Promise.all(flood)).toEqual(['1', '2', '3', 'overloaded'])
    expect(await Promise.all([running, person, late])).toEqual(['running', 'person', 'overloaded'])
  })

  it('refuses a new ticket when no other line is longer than its own', async () => {
    const { ask, drain } = setUp({ waiting: 2 })
    const all = ['a', 'b', 'c', 'd'].map((name) => ask(name, name))
    await drain()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'overloaded'])
  })

  it('drops an abandoned ticket before its turn', async () => {
    const { ask, drain, order } = setUp()
    const gone = new AbortController()
    const all = [ask('a', 'first'), ask('a', 'gone', gone.signal), ask('a', 'last')]
    gone.abort()
    const never = ask('a', 'never', gone.signal)
    await drain()
    expect(await Promise.all(all)).toEqual(['first', 'overloaded', 'last'])
    expect(await never).toBe('overloaded')
    expect(order).toEqual(['first', 'last'])
  })

  it('refuses a ticket that waited too long and serves the next', async () => {
    const { ask, drain } = setUp({ patience: 5 })
    const first = ask('a', 'first')
    expect(await ask('a', 'second')).toBe('overloaded')
    await drain()
    expect(await first).toBe('first')
    const third = ask('a', 'third')
    await drain()
    expect(await third).toBe('third')
  })

  it('reserves places for jobs of the kept share, and alternates between the two shares', async () => {
    const { ask, drain, order } = setUp({ waiting: 3, kept: 2 })
    const flood = ['1', '2', '3', '4', '5'].map((name) => ask(name, name))
    const known = ['a', 'b', 'c'].map((name) => ask(name, name, undefined, 'kept'))
    await drain()
    expect(await Promise.all(flood)).toEqual(['1', '2', '3', '4', 'overloaded'])
    expect(await Promise.all(known)).toEqual(['a', 'b', 'overloaded'])
    expect(order).toEqual(['1', '2', 'a', '3', 'b', '4'])
  })

  it('predicts a refusal without taking a place', async () => {
    const inTurn = makeFairQueue({ ...patient, waiting: 1 })
    const places = () => ['a', 'b'].map((key) => inTurn.hasPlace(key))
    expect(places()).toEqual([true, true])
    const gate = Promise.withResolvers<void>()
    const first = inTurn('a', () => gate.promise)
    expect(places()).toEqual([true, true])
    const second = inTurn('a', async () => 'second')
    expect(places()).toEqual([false, false])
    gate.resolve()
    await first
    expect(await second).toBe('second')
    expect(places()).toEqual([true, true])
  })

  it('releases the place when the work fails', async () => {
    const inTurn = makeFairQueue(patient)
    const failing = inTurn('a', () => Promise.reject(new Error('broken')))
    const next = inTurn('b', async () => 'served')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('served')
  })
})
