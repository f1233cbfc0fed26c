// Reads what the test runners report and adds it up to the last line of npm test.

/** What vitest's JSON report says: skipped and todo tests count as failed, and so does a file that could not be loaded. */
export function countVitest(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests + brokenFiles.length,
  }
}

/**
 * What Playwright's JSON report says: skipped and flaky tests count as failed, and so does every error outside a test.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: object[] }} report
 */
export function countPlaywright({ stats, errors = [] }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length }
}

/** One runner's result: one that ended badly, left no report, or no test where there must be some, has failed at least once. */
export function judgeRunner({ code, report, count, mayBeNone = false }) {
  const counted = readReport(report, count)
  const hasProblem = code !== 0 || counted === null || (!mayBeNone && counted.passed + counted.failed === 0)
  return { passed: counted?.passed ?? 0, failed: Math.max(counted?.failed ?? 0, hasProblem ? 1 : 0) }
}

/** The summary line of all results. */
export function summaryLine(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}

function readReport(text, count) {
  try {
    return text ? count(JSON.parse(text)) : null
  } catch {
    return null
  }
}
