// npm run sbom: writes the bill of materials of a release (CycloneDX) to stdout.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runCommand } from './prepare.mjs'
import { commitTime } from './release/commit.mjs'
import { billOfMaterials } from './release/sbom.mjs'

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

runCommand(async () => {
  // A reader such as `head` closes the pipe before the end. That is not a fault.
  process.stdout.on('error', (fault) => {
    if (fault.code !== 'EPIPE') throw fault
  })
  const bill = billOfMaterials({ own: read('package.json'), lock: read('package-lock.json'), made: commitTime() })
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
})
