import { workerData } from 'node:worker_threads'
import { type SetUp, state, textAt } from './pair-ring.ts'
import { signPair } from './token-pair.ts'

const { ring, key } = workerData as SetUp
const { states, posted, lengths } = ring

/** Signs the pair of a place, unless it has none that is ready. */
function signAt(place: number) {
  if (Atomics.compareExchange(states, place, state.ready, state.taken) !== state.ready) return
  const text = textAt(ring, place)
  const [access = '', idHeader = '', idClaims = ''] = text.toString('utf8', 0, lengths[place]).split('\n')
  const signed = signPair({ access, idHeader, idClaims }, key)
  lengths[place] = text.write(`${signed.access}\n${signed.id}`, 'latin1')
  Atomics.store(states, place, state.done)
  Atomics.notify(states, place)
}

for (;;) {
  const seen = Atomics.load(posted, 0)
  for (let place = 0; place < states.length; place++) signAt(place)
  Atomics.wait(posted, 0, seen)
}
