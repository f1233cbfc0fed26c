import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a process and its children have used: CPU seconds, of those that have ended too, and memory in bytes, with what
 * several share counted once (Linux: PSS). Linux only.
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

/** What stands after the program's name, which may hold anything; nothing when it has ended meanwhile. */
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
