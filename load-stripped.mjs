// Loads the sources that bin/strip-types.mjs wrote. Node would otherwise load its own compiler to strip the types, which
// takes 30 MiB and half the time of a start, and again in each thread. A file without a stripped copy is left to Node.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const root = new URL('./', import.meta.url).href
const stripped = new URL('.next/stripped/', root).href

registerHooks({
  // Node would read package.json and the links of the file system for each import of a module of ours.
  resolve(specifier, context, nextResolve) {
    const url = ownUrl(specifier, context.parentURL)
    return url === undefined
      ? nextResolve(specifier, context)
      : { url, format: 'module-typescript', shortCircuit: true }
  },
  load(url, context, nextLoad) {
    const source = url.startsWith(root) && url.endsWith('.ts') ? read(url.slice(root.length)) : undefined
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

/** Returns the address of a module of ours; undefined for any other import, and for a path that Node would encode. */
function ownUrl(specifier, parent) {
  if (!parent?.startsWith(root) || parent.includes('/node_modules/') || !/^[#.][\w./()-]+$/.test(specifier)) return
  if (specifier.startsWith('#lib/')) return `${root}lib/${specifier.slice(5)}.ts`
  return specifier.startsWith('.') && specifier.endsWith('.ts') ? new URL(specifier, parent).href : undefined
}

function read(path) {
  try {
    return readFileSync(new URL(path, stripped), 'utf8')
  } catch (fault) {
    if (fault.code !== 'ENOENT') throw fault
  }
}
