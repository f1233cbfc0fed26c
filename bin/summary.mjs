// Reads the reports of the test runners, and adds up their counts for the last line of npm test.

/**
 * Counts the tests in a JSON report of vitest, and names those that failed. Skipped and todo tests count as failed, and
 * so does a file that could not be loaded.
 */
export function countVitest(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests + brokenFiles.length,
    faults: report.testResults.flatMap(({ name, message, assertionResults }) => [
      ...(brokenFiles.some((file) => file.name === name) ? [`${name}: ${firstLine(message)}`] : []),
      ...assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, failureMessages }) => `${name} › ${fullName}: ${firstLine(failureMessages?.[0])}`),
    ]),
  }
}

/**
 * Counts a JSON report of Playwright, and names the tests that failed. Skipped and flaky tests count as failed, and so
 * does every error outside a test.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: object[],
 *   suites?: object[] }} report
 */
export function countPlaywright({ stats, errors = [], suites = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
    faults: [...suites.flatMap(playwrightFaults), ...errors.map(({ message }) => firstLine(message))],
  }
}

function playwrightFaults({ specs = [], suites = [] }) {
  const failed = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ results }) => `${file} › ${title}: ${firstLine(results.find(({ error }) => error)?.error.message)}`),
  )
  return [...failed, ...suites.flatMap(playwrightFaults)]
}

/**
 * Returns one runner's result. Counts at least one failure when the runner ended with an error, left no report, or
 * ran no test although it should have.
 */
export function judgeRunner({ code, report, count, mayBeNone = false }) {
  const counted = readReport(report, count)
  const hasProblem = code !== 0 || counted === null || (!mayBeNone && counted.passed + counted.failed === 0)
  return {
    passed: counted?.passed ?? 0,
    failed: Math.max(counted?.failed ?? 0, hasProblem ? 1 : 0),
    faults: counted?.faults ?? [],
  }
}

/** Returns the summary line of all results. */
export function summaryLine(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}

const firstLine = (text = '') => text.split('\n')[0].slice(0, 300)

function readReport(text, count) {
  try {
    return text ? count(JSON.parse(text)) : null
  } catch {
    return null
  }
}
