// npm run licences: checks the licence of every package in package-lock.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runCommand } from './prepare.mjs'
import { licenceProblems } from './release/licences.mjs'

runCommand(async () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const problems = licenceProblems(lock)
  for (const problem of problems) console.log(problem)
  const count = Object.keys(lock.packages).length - 1
  console.log(
    problems.length > 0 ? `${problems.length} of ${count} packages` : `${count} packages have fitting licences`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
})
