import { watch } from 'node:fs'
import { join } from 'node:path'
import { readBrand } from '#lib/brand/read-brand'
import type { Config } from '#lib/server/settings/config'
import { locales, readMessagesAgain } from '#lib/text/messages'

type Watched = Pick<Config, 'brand' | 'brandDir'>
type Log = { info(message: string): void; warn(message: string): void }

/** Editors write a file in several steps. */
const quiet = 200

/**
 * Reads the texts and BRAND_DIR again when a file changes, in development. A faulty file changes nothing; the log says what is
 * wrong. A new language needs a restart, because the settings name the languages. Returns a function that ends the watch.
 */
export function watchTextsAndBrand({ brand, brandDir }: Watched, log: Log, texts = 'messages'): () => void {
  let timer: NodeJS.Timeout | undefined
  const read = () => {
    try {
      readMessagesAgain(texts)
      if (brandDir !== undefined) Object.assign(brand, readBrand(brandDir))
      log.info('the texts and the brand were read again')
    } catch (fault) {
      log.warn(`the texts and the brand stay as they were: ${(fault as Error).message}`)
    }
  }
  const folders = [...locales.map((locale) => join(texts, locale)), ...(brandDir === undefined ? [] : [brandDir])]
  const watchers = folders.map((folder) =>
    watch(folder, () => {
      clearTimeout(timer)
      timer = setTimeout(read, quiet)
    })
      // Without a listener, an error of the watch would end the process.
      .on('error', () => undefined),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
