import type Database from 'better-sqlite3'

/** SQLite maps no more of a file. Pages are read from the mapping, and the system can take its memory back. */
const mostMapped = 2_147_418_112

/**
 * Returns the KiB of the cache of pages. For a file that is mapped as a whole, it has to hold only the pages that a few
 * shared commits change: refreshes and exchanges were no faster with 8 MiB. The inner pages of a larger file are read
 * again and again.
 */
export const cacheFor = (fileBytes: number): number => (fileBytes < mostMapped ? 4096 : 65_536)

/** Sets what holds for one connection; the journal mode is a property of the file. */
export function applySettings(driver: Database.Database): void {
  driver.pragma('synchronous = FULL')
  driver.pragma('foreign_keys = ON')
  driver.pragma('temp_store = MEMORY')
  driver.pragma(`mmap_size = ${mostMapped}`)
  const [pages, pageBytes] = ['page_count', 'page_size'].map((name) => Number(driver.pragma(name, { simple: true })))
  driver.pragma(`cache_size = -${cacheFor((pages ?? 0) * (pageBytes ?? 0))}`)
}
