import { watch } from 'node:fs'
import { BrandFault } from '#lib/brand/brand-fault'
import { readBrand } from '#lib/brand/read-brand'
import type { Config } from '#lib/server/settings/config'

type Watched = Pick<Config, 'brand' | 'brandDir'>
type Log = { info(message: string): void; warn(message: string): void }

/** Editors write a file in several steps. */
const quiet = 200

/**
 * Reads BRAND_DIR again when a file changes, in development. A faulty file changes nothing; the log says what is wrong. A new
 * language needs a restart, because the settings name the languages. Returns a function that ends the watch.
 */
export function watchBrand({ brand, brandDir }: Watched, log: Log): () => void {
  if (brandDir === undefined) return () => undefined
  let timer: NodeJS.Timeout | undefined
  const read = () => {
    try {
      Object.assign(brand, readBrand(brandDir))
      log.info('the brand was read again')
    } catch (fault) {
      if (!(fault instanceof BrandFault)) throw fault
      log.warn(`the brand stays as it was: ${fault.message}`)
    }
  }
  const watcher = watch(brandDir, () => {
    clearTimeout(timer)
    timer = setTimeout(read, quiet)
  })
  // Without a listener, an error of the watch would end the process.
  watcher.on('error', () => undefined)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
