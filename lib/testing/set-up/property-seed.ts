import fc from 'fast-check'

/**
 * Properties use the same cases in every run, so that a failure comes from the current change. For a longer run with
 * other cases: `PROPERTY_SEED=random PROPERTY_RUNS=5000 npm run verify -- lib/relay`; a number repeats a failed run.
 */
const { PROPERTY_SEED = '20261120', PROPERTY_RUNS } = process.env

fc.configureGlobal({
  ...(PROPERTY_SEED === 'random' ? {} : { seed: Number(PROPERTY_SEED) }),
  ...(PROPERTY_RUNS ? { numRuns: Number(PROPERTY_RUNS) } : {}),
})
