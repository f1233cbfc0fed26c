// Writes an archive whose bytes depend only on the names, modes and contents of the files.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { run } from '../run.mjs'

/** Options of GNU tar: sorted names, one time, one owner, modes without the umask of the person who packs. */
const sameBytes = [
  '--format=gnu',
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=u+rwX,go+rX,go-w',
]

/** Packs `folder` into `archive` (.tar.gz), with `made` as the time of every file. Needs GNU tar and gzip. */
export async function pack(folder, archive, made) {
  const time = `--mtime=@${made.getTime() / 1000}`
  const args = [...sameBytes, time, '--use-compress-program=gzip --no-name', '-cf', archive]
  const { code, output } = await run('tar', [...args, '-C', dirname(folder), basename(folder)], {
    label: `packing ${basename(archive)}`,
    env: { ...process.env, LC_ALL: 'C', GZIP: undefined, TAR_OPTIONS: undefined },
  })
  if (code !== 0) throw new Error(`tar failed (${code}):\n${output}`)
}

/** Writes SHA256SUMS for files of a folder, in the format of sha256sum. */
export function writeChecksums(folder, names) {
  const lines = names.toSorted().map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}
