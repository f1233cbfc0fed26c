// npm run release: writes the archive, the Debian package, the bill of materials and the checksums to release/.
// --tree FOLDER writes the files of the archive to a new folder and nothing else. --uncommitted allows changes that are
// not committed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PreparationFailed, prepare, root, runCommand } from './prepare.mjs'
import { commitTime, refuseChanges } from './release/commit.mjs'
import { writeDebianPackage } from './release/debian.mjs'
import { licenceProblems } from './release/licences.mjs'
import { pack, writeChecksums } from './release/pack.mjs'
import { billOfMaterials } from './release/sbom.mjs'
import { writeTree } from './release/tree.mjs'

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

runCommand(async () => {
  const at = process.argv.indexOf('--tree')
  const tree = at > 0 ? resolve(process.env.INIT_CWD ?? root, process.argv[at + 1]) : undefined
  if (!tree && !process.argv.includes('--uncommitted')) refuseChanges()
  refuseLicences()
  // Next orders the parts of some files differently when its cache holds an earlier build.
  if (!tree) rmSync(join(root, '.next'), { recursive: true, force: true })
  await prepare({ build: true, last: 'writing the release' })
  if (tree) writeTree(root, tree)
  else await release(join(root, 'release'))
})

async function release(folder) {
  const own = read('package.json')
  const name = `${own.name}-${own.version}-${process.platform}-${process.arch}`
  const tree = join(folder, name)
  const made = commitTime()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeTree(root, tree)
  const bill = `${name}.cdx.json`
  writeFileSync(join(folder, bill), json(billOfMaterials({ own, lock: read('package-lock.json'), made })))
  await pack(tree, join(folder, `${name}.tar.gz`), made)
  const packages = await writeDebianPackage({ tree, folder, version: own.version, made })
  writeChecksums(folder, [bill, `${name}.tar.gz`, ...packages])
  rmSync(tree, { recursive: true })
  process.stdout.write(readFileSync(join(folder, 'SHA256SUMS')))
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`

function refuseLicences() {
  const problems = licenceProblems(read('package-lock.json'))
  if (problems.length > 0) throw new PreparationFailed(problems.join('\n'))
}
