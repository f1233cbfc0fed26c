// Reads the reports of the test runners, and adds up their counts for the last line of npm test.

/**
 * Counts the tests in a JSON report of vitest. Skipped and todo tests count as failed, and so does a file that could
 * not be loaded.
 */
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
 * Counts a JSON report of Playwright. Skipped and flaky tests count as failed, and so does every error outside a test.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: object[] }} report
 */
export function countPlaywright({ stats, errors = [] }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length }
}

/**
 * Returns one runner's result. Counts at least one failure when the runner ended with an error, left no report, or
 * ran no test although it should have.
 */
export function judgeRunner({ code, report, count, mayBeNone = false }) {
  const counted = readReport(report, count)
  const hasProblem = code !== 0 || counted === null || (!mayBeNone && counted.passed + counted.failed === 0)
  return { passed: counted?.passed ?? 0, failed: Math.max(counted?.failed ?? 0, hasProblem ? 1 : 0) }
}

/** Returns the summary line of all results. */
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
