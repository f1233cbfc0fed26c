// A thread that estimates passwords. Its library and word list take 30 MB, which the thread gives back when it ends.
import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** A password with the words that its owner would try first. */
export type Estimation = { password: string; names: string[] }

/** `score` is 0 for a password that a few guesses find, and 4 for one that withstands an attack on a stolen hash. */
export type Estimated = { score: 0 | 1 | 2 | 3 | 4 }

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

parentPort?.on('message', ({ password, names }: Estimation) => {
  parentPort?.postMessage({ score: estimator.check(password, names).score } satisfies Estimated)
})
