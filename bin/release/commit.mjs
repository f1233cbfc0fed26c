// What git says about the checkout.
import { spawnSync } from 'node:child_process'
import { PreparationFailed, root } from '../prepare.mjs'

/** Refuses uncommitted changes, because an archive with them could not be reproduced. */
export function refuseChanges() {
  const { status, stdout } = git('status', '--porcelain')
  if (status === 0 && stdout === '') return
  throw new PreparationFailed(
    `A release is made of a commit, and there are changes (--uncommitted allows them):\n${stdout}`,
  )
}

/** Returns SOURCE_DATE_EPOCH, or the time of the commit (reproducible-builds.org/specs/source-date-epoch). */
export function commitTime() {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct').stdout)
  if (!(seconds > 0)) throw new PreparationFailed('The commit has no time. Set SOURCE_DATE_EPOCH, in seconds.')
  return new Date(seconds * 1000)
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' })
}
