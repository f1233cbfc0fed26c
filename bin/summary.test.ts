import { expect, test } from 'vitest'
import { countPlaywright, countVitest, judgeRunner, summaryLine } from './summary.mjs'

const vitest = (passed: number, total: number, files: object[] = []) =>
  JSON.stringify({ numPassedTests: passed, numTotalTests: total, testResults: files })

test('what passed and what failed is read from the report', () => {
  expect(judgeRunner({ code: 0, report: vitest(5, 5), count: countVitest })).toEqual({ passed: 5, failed: 0 })
  expect(judgeRunner({ code: 1, report: vitest(3, 5), count: countVitest })).toEqual({ passed: 3, failed: 2 })
})

test('a file that could not be loaded is a failure of its own', () => {
  const report = vitest(3, 3, [{ status: 'failed', assertionResults: [] }])
  expect(judgeRunner({ code: 1, report, count: countVitest })).toEqual({ passed: 3, failed: 1 })
})

test('a runner that crashed, reported nothing or found no test has failed once', () => {
  for (const report of ['', '{', '{}']) {
    expect(judgeRunner({ code: 0, report, count: countVitest })).toEqual({ passed: 0, failed: 1 })
  }
  expect(judgeRunner({ code: 1, report: vitest(2, 2), count: countVitest })).toEqual({ passed: 2, failed: 1 })
  expect(judgeRunner({ code: 0, report: vitest(0, 0), count: countVitest })).toEqual({ passed: 0, failed: 1 })
})

test('a change may reach no test at all', () => {
  const judge = (report: string, code = 0) => judgeRunner({ code, report, count: countVitest, mayBeNone: true })
  expect(judge(vitest(0, 0))).toEqual({ passed: 0, failed: 0 })
  expect(judge('')).toEqual({ passed: 0, failed: 1 })
  expect(judge(vitest(0, 0), 1)).toEqual({ passed: 0, failed: 1 })
})

test('skipped, flaky and stray errors of the browser tests count as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }
  expect(countPlaywright({ stats, errors: [{ message: 'worker' }] })).toEqual({ passed: 4, failed: 4 })
})

test('the summary adds everything up', () => {
  const results = [
    { passed: 1, failed: 0 },
    { passed: 40, failed: 2 },
  ]
  expect(summaryLine(results)).toBe('41 passed, 2 failed')
})
