// npm run sbom: writes the bill of materials of a release (CycloneDX) to stdout.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runCommand } from './prepare.mjs'
import { commitTime } from './release/commit.mjs'
import { billOfMaterials } from './release/sbom.mjs'

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

runCommand(async () => {
  const bill = billOfMaterials({ own: read('package.json'), lock: read('package-lock.json'), made: commitTime() })
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
})
