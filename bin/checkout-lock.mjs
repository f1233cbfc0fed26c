// Lets one process at a time prepare a checkout. The lock is a folder with the owner's process id; a stale lock is taken
// over.
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// How long a lock folder may lack the process id of its owner: its creator may not have written it yet, or died before.
const birthMs = 10_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs `work` while this process holds the lock `folder`; `onWait` receives the process id of the current owner. `work`
 * receives a function that registers a child: the lock then lasts until that child has ended too, even when this process
 * is killed.
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

/**
 * A second folder inside the lock decides which process takes over, so that two waiting processes cannot both
 * succeed.
 */
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
  // Git ignores the folder, also when a crash leaves it behind.
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
  // The system reuses process ids (immediately in a container). The start time, where the system provides it,
  // distinguishes two processes.
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
