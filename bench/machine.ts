import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'

/** Describes the machine. Compare figures only between machines with similar costs of system calls, wake-ups and memory reads. */
export async function describeMachine(): Promise<string> {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  // The type number of tmpfs in Linux's statfs(2), where a commit never waits for a disk.
  const onDisk = statfsSync(tmpdir()).type !== 0x01021994
  const disk = onDisk ? 'databases on disk' : '**databases in memory (tmpfs): commits cost nothing here; set TMPDIR**'
  const system = `${process.platform} ${release()}, Node ${process.versions.node}`
  // Other load on the machine distorts the figures, so the report shows it.
  const load = `load average ${(loadavg()[0] as number).toFixed(1)} before the first run`
  const [near, far] = [8, 256].map((size) => `${randomRead(size).toFixed(0)} ns within ${size} MiB`)
  const costs = [
    `a system call takes ${systemCall().toFixed(1)} µs`,
    `a message to a sleeping process and back ${(await wakeUps()).toFixed(0)} µs`,
    `a read of memory in random order ${near} and ${far}`,
  ].join(', ')
  return `Machine: ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB${hugePages()}, ${system}; ${disk}; ${costs}; ${load}; client and server share it.`
}

/** PostgreSQL uses huge pages for its cache if enough are free at its start (`vm.nr_hugepages`). */
function hugePages(): string {
  const memory = process.platform === 'linux' ? readFileSync('/proc/meminfo', 'utf8') : ''
  const reserved = Number(/^HugePages_Total: +(\d+)$/m.exec(memory)?.[1] ?? 0)
  return reserved > 0 ? ` with ${reserved} huge pages` : ''
}

/** Returns the microseconds of one of the cheapest system calls, with Node's share. */
function systemCall(): number {
  const file = openSync('/dev/null', 'w')
  const byte = Buffer.alloc(1)
  const count = 50_000
  const began = performance.now()
  for (let one = 0; one < count; one++) writeSync(file, byte)
  const microseconds = ((performance.now() - began) * 1000) / count
  closeSync(file)
  return microseconds
}

/**
 * Returns the nanoseconds of one memory read in random order. Each read returns the address of the next one, so reads do not
 * overlap. Other guests of the host share the processor's cache, so the result changes from hour to hour on one machine. The
 * rates of a database that is larger than the cache probably change with it.
 */
function randomRead(mebibytes: number): number {
  const [lines, wordsOfLine] = [mebibytes * 2 ** 14, 16]
  const memory = new Int32Array(lines * wordsOfLine)
  // A linear congruential generator with full period: it visits every cache line before it repeats one.
  const after = (line: number) => ((Math.imul(line, 1_664_525) + 1_013_904_223) >>> 0) % lines
  for (let line = 0; line < lines; line++) memory[line * wordsOfLine] = after(line) * wordsOfLine
  let at = 0
  const read = (count: number) => {
    for (let one = 0; one < count; one++) at = memory[at] as number
  }
  read(100_000)
  const count = 1_000_000
  const began = performance.now()
  read(count)
  return ((performance.now() - began) * 1e6) / count
}

/** Returns the microseconds of a message to another process and back; each way wakes a process that sleeps. */
async function wakeUps(): Promise<number> {
  const echo = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ask = async () => {
    echo.stdin.write('x')
    await once(echo.stdout, 'data')
  }
  for (let one = 0; one < 500; one++) await ask()
  const count = 2_000
  const began = performance.now()
  for (let one = 0; one < count; one++) await ask()
  const microseconds = ((performance.now() - began) * 1000) / count
  echo.kill()
  return microseconds
}
