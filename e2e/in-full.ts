/** Whether this is `npm run faults`, which repeats more often what `npm test` repeats a few times (CONTRIBUTING.md). */
export const inFull = process.env.FAULTS === '1'
