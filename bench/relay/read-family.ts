import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the resource use of a process and its children: CPU seconds, including children that have ended, and memory
 * in bytes, with shared pages divided among the processes (PSS). Linux only.
 */
export function readFamily(pid: number): { cpuSeconds: number; memoryBytes: number } {
  const members = familyOf(pid)
  const ticks = members.reduce((sum, { own, ended, isHead }) => sum + own + (isHead ? ended : 0), 0)
  return {
    // USER_HZ is 100 on every Linux architecture Node runs on.
    cpuSeconds: ticks / 100,
    memoryBytes: members.reduce((sum, member) => sum + memoryOf(member.pid), 0),
  }
}

function familyOf(head: number) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statOf(name)
      if (!fields) return []
      const pid = Number(name)
      const parent = Number(fields[1])
      const number = (at: number) => Number(fields[at])
      const times = { own: number(11) + number(12), ended: number(13) + number(14) }
      return pid === head || parent === head ? [{ pid, isHead: pid === head, ...times }] : []
    })
}

/**
 * Returns the fields after the program's name (which may contain any character), or undefined when the process has
 * ended.
 */
function statOf(pid: string): string[] | undefined {
  const stat = readOr(`/proc/${pid}/stat`, '')
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function memoryOf(pid: number): number {
  const shared = /^Pss:\s+(\d+) kB$/m.exec(readOr(`/proc/${pid}/smaps_rollup`, ''))
  const resident = shared ?? /^VmRSS:\s+(\d+) kB$/m.exec(readOr(`/proc/${pid}/status`, ''))
  return Number(resident?.[1] ?? 0) * 1024
}

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return fallback
  }
}
