// One preparer at a time in a checkout: a folder with the owner's process id, taken over when that process is gone.
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A folder without an owner is one being made, unless its maker died between two system calls.
const birthMs = 10_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs `work` while no other process that asks for the lock `folder` does; `onWait` is told whom it waits for. `work` is
 * given a function that names a child: the lock then lasts until that child has ended too, even when we are killed.
 * @template T
 * @param {string} folder
 * @param {(nameChild: (pid: number) => void) => Promise<T>} work
 * @param {{ onWait?: (pid: number | undefined) => void, pollMs?: number }} options
 */
export async function withCheckoutLock(folder, work, { onWait = () => {}, pollMs = 200 } = {}) {
  let told = false
  while (!take(folder)) {
    if (!told) onWait(ownersOf(folder)?.[0]?.pid)
    told = true
    await sleep(pollMs)
  }
  const release = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work((child) => claim(folder, [process.pid, child]))
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(folder) {
  try {
    mkdirSync(folder)
  } catch (fault) {
    if (fault.code !== 'EEXIST') throw fault
    return isStale(folder) && takeOver(folder)
  }
  claim(folder)
  return true
}

/** The folder stays where it is and a second one inside decides who inherits, so two heirs cannot both win. */
function takeOver(folder) {
  const heir = join(folder, 'heir')
  try {
    if (ageMs(heir) > birthMs) rmdirSync(heir)
    mkdirSync(heir)
  } catch {
    return false
  }
  try {
    if (!isStale(folder)) return false
    claim(folder)
    return true
  } finally {
    rmSync(heir, { recursive: true, force: true })
  }
}

function claim(folder, pids = [process.pid]) {
  // The folder hides itself from git, whatever becomes of us.
  writeFileSync(join(folder, '.gitignore'), '*\n')
  const owners = pids.map((pid) => ({ pid, since: startOf(pid) }))
  writeFileSync(join(folder, 'new-owners'), JSON.stringify(owners))
  renameSync(join(folder, 'new-owners'), join(folder, 'owners'))
}

function isStale(folder) {
  const owners = ownersOf(folder)
  return owners ? !owners.some(isAlive) : ageMs(folder) > birthMs
}

function ownersOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'owners'), 'utf8'))
  } catch {
    return null
  }
}

function isAlive({ pid, since }) {
  try {
    process.kill(pid, 0)
  } catch (fault) {
    if (fault.code !== 'EPERM') return false
  }
  // Process ids come round again (at once in a container): the time it started tells two apart, where the system says it.
  return since === startOf(pid)
}

function startOf(pid) {
  try {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return state === 'Z' ? 'ended' : fields[18]
  } catch {
    return null
  }
}

function ageMs(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? Date.now() - found.mtimeMs : 0
}
