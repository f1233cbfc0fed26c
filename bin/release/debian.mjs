// Builds the Debian package of a release. Nothing is downloaded, neither here nor during the installation.
import { createHash } from 'node:crypto'
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onPath } from '../apt.mjs'
import { run } from '../run.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }

/** Builds the package from the tree of a release. Returns its file name; none on a system without dpkg-deb. */
export async function writeDebianPackage({ tree, folder, version, made }) {
  if (!onPath('dpkg-deb')) return []
  const architecture = architectures[process.arch] ?? process.arch
  const name = `postern_${version}_${architecture}.deb`
  const stage = join(folder, 'debian')
  stageFiles(tree, stage)
  writeControl(tree, stage, { version, architecture })
  const { code, output } = await run(
    'dpkg-deb',
    ['--root-owner-group', '-Zzstd', '-z3', '--build', stage, join(folder, name)],
    {
      label: `packing ${name}`,
      // dpkg-deb gives every file this time.
      env: { ...process.env, SOURCE_DATE_EPOCH: String(made.getTime() / 1000) },
    },
  )
  if (code !== 0) throw new Error(`dpkg-deb failed (${code}):\n${output}`)
  rmSync(stage, { recursive: true })
  return [name]
}

function stageFiles(tree, stage) {
  const put = (from, to) => {
    mkdirSync(join(stage, to, '..'), { recursive: true })
    cpSync(join(tree, from), join(stage, to), { recursive: true, verbatimSymlinks: true })
  }
  put('.', 'usr/lib/postern')
  put('deploy/systemd/postern.service', 'usr/lib/systemd/system/postern.service')
  put('deploy/debian/postern.env', 'etc/postern/postern.env')
  put('LICENSE', 'usr/share/doc/postern/copyright')
  mkdirSync(join(stage, 'usr/bin'))
  symlinkSync('../lib/postern/bin/postern', join(stage, 'usr/bin/postern'))
}

function writeControl(tree, stage, { version, architecture }) {
  const control = join(stage, 'DEBIAN')
  mkdirSync(control)
  for (const script of ['postinst', 'prerm', 'postrm'])
    cpSync(join(tree, 'deploy/debian', script), join(control, script))
  writeFileSync(join(control, 'conffiles'), '/etc/postern/postern.env\n')
  const files = filesBelow(stage).filter((file) => !file.startsWith('DEBIAN/'))
  const size = files.reduce((sum, file) => sum + lstatSync(join(stage, file)).size, 0)
  const sums = files
    .filter((file) => lstatSync(join(stage, file)).isFile())
    .map(
      (file) =>
        `${createHash('md5')
          .update(readFileSync(join(stage, file)))
          .digest('hex')}  ${file}\n`,
    )
  writeFileSync(join(control, 'md5sums'), sums.join(''))
  const template = readFileSync(join(tree, 'deploy/debian/control'), 'utf8')
  const values = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(Math.ceil(size / 1024)) }
  writeFileSync(
    join(control, 'control'),
    template.replace(/@(\w+)@/g, (_, key) => values[key]),
  )
}

/** Returns the paths of all files below a folder, sorted. */
function filesBelow(folder, path = '') {
  return readdirSync(join(folder, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      return entry.isDirectory() ? filesBelow(folder, inside) : [inside]
    })
}
