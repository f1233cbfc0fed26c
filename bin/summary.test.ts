import { expect, it } from 'vitest'
import { countPlaywright, countVitest, judgeRunner, summaryLine } from './summary.mjs'

const vitest = (passed: number, total: number, files: object[] = []) =>
  JSON.stringify({ numPassedTests: passed, numTotalTests: total, testResults: files })

it('reads the passed and failed tests from the report', () => {
  expect(judgeRunner({ code: 0, report: vitest(5, 5), count: countVitest })).toMatchObject({ passed: 5, failed: 0 })
  expect(judgeRunner({ code: 1, report: vitest(3, 5), count: countVitest })).toMatchObject({ passed: 3, failed: 2 })
})

it('counts a file that could not be loaded as one failure', () => {
  const broken = { name: 'broken.test.ts', status: 'failed', message: 'no such module\nat 1:1', assertionResults: [] }
  expect(judgeRunner({ code: 1, report: vitest(3, 3, [broken]), count: countVitest })).toEqual({
    passed: 3,
    failed: 1,
    faults: ['broken.test.ts: no such module'],
  })
})

it('counts one failure for a runner that crashed, left no report or found no test', () => {
  for (const report of ['', '{', '{}']) {
    expect(judgeRunner({ code: 0, report, count: countVitest })).toMatchObject({ passed: 0, failed: 1 })
  }
  expect(judgeRunner({ code: 1, report: vitest(2, 2), count: countVitest })).toMatchObject({ passed: 2, failed: 1 })
  expect(judgeRunner({ code: 0, report: vitest(0, 0), count: countVitest })).toMatchObject({ passed: 0, failed: 1 })
})

it('accepts an empty report when a change affects no test', () => {
  const judge = (report: string, code = 0) => judgeRunner({ code, report, count: countVitest, mayBeNone: true })
  expect(judge(vitest(0, 0))).toMatchObject({ passed: 0, failed: 0 })
  expect(judge('')).toMatchObject({ passed: 0, failed: 1 })
  expect(judge(vitest(0, 0), 1)).toMatchObject({ passed: 0, failed: 1 })
})

it('counts skipped, flaky and stray errors of the browser tests as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }
  expect(countPlaywright({ stats, errors: [{ message: 'worker' }] })).toMatchObject({ passed: 4, failed: 4 })
})

it('adds up all results in the summary', () => {
  const results = [
    { passed: 1, failed: 0 },
    { passed: 40, failed: 2 },
  ]
  expect(summaryLine(results)).toBe('41 passed, 2 failed')
})

it('names each failed test with the first line of its fault', () => {
  const unit = {
    name: 'a.test.ts',
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'adds', failureMessages: [] },
      { status: 'failed', fullName: 'divides', failureMessages: ['by zero\nat 1:1'] },
    ],
  }
  expect(countVitest(JSON.parse(vitest(1, 2, [unit]))).faults).toEqual(['a.test.ts › divides: by zero'])
  const specs = [
    { file: 'a.spec.ts', title: 'opens', tests: [{ status: 'expected', results: [{}] }] },
    {
      file: 'a.spec.ts',
      title: 'closes',
      tests: [{ status: 'unexpected', results: [{ error: { message: 'stuck\nat' } }] }],
    },
  ]
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 }
  const suites = [{ suites: [{ specs }] }]
  expect(countPlaywright({ stats, suites, errors: [{ message: 'worker' }] }).faults).toEqual([
    'a.spec.ts › closes: stuck',
    'worker',
  ])
})
