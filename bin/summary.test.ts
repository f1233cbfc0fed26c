import { expect, it } from 'vitest'
import { countPlaywright, countVitest, judgeRunner, summaryLine } from './summary.mjs'

const vitest = (passed: number, total: number, files: object[] = []) =>
  JSON.stringify({ numPassedTests: passed, numTotalTests: total, testResults: files })

it('reads the passed and failed tests from the report', () => {
  expect(judgeRunner({ code: 0, report: vitest(5, 5), count: countVitest })).toEqual({ passed: 5, failed: 0 })
  expect(judgeRunner({ code: 1, report: vitest(3, 5), count: countVitest })).toEqual({ passed: 3, failed: 2 })
})

it('counts a file that could not be loaded as one failure', () => {
  const report = vitest(3, 3, [{ status: 'failed', assertionResults: [] }])
  expect(judgeRunner({ code: 1, report, count: countVitest })).toEqual({ passed: 3, failed: 1 })
})

it('counts one failure for a runner that crashed, left no report or found no test', () => {
  for (const report of ['', '{', '{}']) {
    expect(judgeRunner({ code: 0, report, count: countVitest })).toEqual({ passed: 0, failed: 1 })
  }
  expect(judgeRunner({ code: 1, report: vitest(2, 2), count: countVitest })).toEqual({ passed: 2, failed: 1 })
  expect(judgeRunner({ code: 0, report: vitest(0, 0), count: countVitest })).toEqual({ passed: 0, failed: 1 })
})

it('accepts an empty report when a change affects no test', () => {
  const judge = (report: string, code = 0) => judgeRunner({ code, report, count: countVitest, mayBeNone: true })
  expect(judge(vitest(0, 0))).toEqual({ passed: 0, failed: 0 })
  expect(judge('')).toEqual({ passed: 0, failed: 1 })
  expect(judge(vitest(0, 0), 1)).toEqual({ passed: 0, failed: 1 })
})

it('counts skipped, flaky and stray errors of the browser tests as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }
  expect(countPlaywright({ stats, errors: [{ message: 'worker' }] })).toEqual({ passed: 4, failed: 4 })
})

it('adds up all results in the summary', () => {
  const results = [
    { passed: 1, failed: 0 },
    { passed: 40, failed: 2 },
  ]
  expect(summaryLine(results)).toBe('41 passed, 2 failed')
})
