import { readFileSync } from 'node:fs'

/** What a process did to a file: W writes, T truncates, S has synced all earlier writes, U removes it. */
export type DiskEvent = { kind: 'W' | 'T' | 'S' | 'U'; name: string; offset: number; data: Buffer }

/** Reads the log that shim.c writes. */
export function readDiskLog(file: string): DiskEvent[] {
  const bytes = readFileSync(file)
  const events: DiskEvent[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const [kind, offset, length, ...name] = bytes.toString('utf8', at, end).split(' ')
    const data = bytes.subarray(end + 1, end + 1 + Number(length))
    events.push({ kind: kind as DiskEvent['kind'], name: name.join(' '), offset: Number(offset), data })
    at = end + 1 + data.length
  }
  return events
}

/** Which of the changes that were not synced reach the disk: none, all, or the sectors that `keeps` chooses. */
export type Luck = 'none' | 'all' | { keeps(): boolean }

const sector = 512

/** A disk that has synced some changes and only promised others. */
export class Disk {
  readonly #synced: Map<string, Buffer | undefined>
  #pending: DiskEvent[] = []

  constructor(files: Map<string, Buffer>) {
    this.#synced = new Map(files)
  }

  /** Applies an event as the operating system does: nothing is safe before it is synced. */
  take(event: DiskEvent): void {
    if (event.kind !== 'S') return void this.#pending.push(event)
    for (const one of this.#pending) if (one.name === event.name) change(this.#synced, one)
    this.#pending = this.#pending.filter(({ name }) => name !== event.name)
  }

  /** Returns the files after a power cut. */
  afterCut(luck: Luck): Map<string, Buffer> {
    const files = new Map(this.#synced)
    if (luck !== 'none') {
      for (const event of this.#pending)
        for (const part of sectorsOf(event)) if (luck === 'all' || luck.keeps()) change(files, part)
    }
    return new Map([...files].filter((entry): entry is [string, Buffer] => entry[1] !== undefined))
  }
}

function change(files: Map<string, Buffer | undefined>, { kind, name, offset, data }: DiskEvent) {
  const before = files.get(name) ?? Buffer.alloc(0)
  if (kind === 'U') return void files.set(name, undefined)
  const after = Buffer.alloc(kind === 'T' ? offset : Math.max(before.length, offset + data.length))
  before.copy(after)
  data.copy(after, offset)
  files.set(name, after)
}

/** Splits a write at the boundaries of sectors: a disk writes a sector whole or not at all. */
function sectorsOf(event: DiskEvent): DiskEvent[] {
  if (event.kind !== 'W') return [event]
  const parts: DiskEvent[] = []
  for (let at = 0; at < event.data.length; ) {
    const next = Math.min(event.data.length, at + sector - ((event.offset + at) % sector))
    parts.push({ ...event, offset: event.offset + at, data: event.data.subarray(at, next) })
    at = next
  }
  return parts
}
