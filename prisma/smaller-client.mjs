// Rewrites a client that Prisma has generated, so that each process that opens a database takes 14 MiB less.

/** V8 makes an array up to the largest key of an object with integer keys, unless the first key is at least this. */
const sparseFrom = 1024

/**
 * Returns the source of a client in `folder` whose graph of parameters is sparse and whose compiler is a file beside it. `readText`
 * returns the text of a module of Prisma; `wasm` is the content of the file `compiler.wasm`.
 */
export function smallerClient(source, folder, readText) {
  const { text, module } = withCompilerFile(source, folder)
  const [, base64] = find(readText(module), /const wasm = "([\w+/=]+)"/)
  return { source: withSparseGraph(text), wasm: Buffer.from(base64, 'base64') }
}

/**
 * Prisma's compiler is WebAssembly, as base64 in a module. Node would keep this text twice, as the source of the module and
 * as its value. A copy of the client in a bundle of Next finds the file from the working folder.
 */
function withCompilerFile(source, folder) {
  const [whole, module] = find(
    source,
    /const \{ wasm \} = await import\("(\S+\.wasm-base64\.mjs)"\)\n\s*return await decodeBase64AsWasm\(wasm\)/,
  )
  const read = `const { existsSync, readFileSync } = await import('node:fs')
    const beside = \`\${import.meta.dirname}/compiler.wasm\`
    return new WebAssembly.Module(readFileSync(existsSync(beside) ? beside : '${folder}/compiler.wasm'))`
  return { text: source.replace(whole, () => read), module }
}

/**
 * The graph says which values of a query are parameters. Its nodes are objects whose keys are places in a list of 1,200
 * names, so V8 would make an array of up to 1,200 places for each of 3,400 nodes with five or six keys. With keys from
 * 1,024 on, it makes a small table.
 */
function withSparseGraph(source) {
  const [names, list] = find(source, /strings: (JSON\.parse\(".*"\)),\n/)
  const [graph, encoded] = find(source, /graph: "([\w-]+)"/)
  return source
    .replace(names, () => `strings: Array(${sparseFrom}).fill('').concat(${list}),\n`)
    .replace(graph, () => `graph: "${shiftKeys(encoded, sparseFrom)}"`)
}

/** Adds a number to each key of an encoded graph, which has nodes of inputs, nodes of outputs, and roots. */
export function shiftKeys(graph, by) {
  const from = Buffer.from(graph, 'base64url')
  const { copy, copyBytes, shift, shiftIfPresent, end } = copyNumbers(from, by)
  const [inputs, outputs, roots] = [copy(), copy(), copy()]
  for (let node = 0; node < inputs; node++)
    for (let edges = copy(); edges > 0; edges--) {
      shift()
      copyBytes(2) // the kinds of scalars
      copy() // the child
      shiftIfPresent() // the enum
      copyBytes(1) // flags
    }
  const copyOutput = () => {
    shift()
    copy() // the arguments
    copy() // the output
  }
  for (let node = 0; node < outputs; node++) for (let edges = copy(); edges > 0; edges--) copyOutput()
  for (let root = 0; root < roots; root++) copyOutput()
  return end().toString('base64url')
}

/**
 * Returns functions that copy the next number from `from`, as it is or greater by `by`. A number has seven bits in a byte, lowest
 * bits first. Where a number may be absent, it is 0, and otherwise greater by one.
 */
function copyNumbers(from, by) {
  const to = []
  let at = 0
  const read = () => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      if (at >= from.length) throw otherFormat()
      const byte = from[at++]
      number |= (byte & 127) << shift
      if (byte < 128) return number
    }
  }
  const write = (number) => {
    let rest = number
    for (; rest > 127; rest >>>= 7) to.push((rest & 127) | 128)
    to.push(rest)
    return number
  }
  return {
    copy: () => write(read()),
    copyBytes(count) {
      for (let done = 0; done < count; done++) to.push(from[at++])
    },
    shift: () => write(read() + by),
    shiftIfPresent() {
      const number = read()
      write(number === 0 ? 0 : number + by)
    },
    end() {
      if (at !== from.length) throw otherFormat()
      return Buffer.from(to)
    },
  }
}

const otherFormat = () => new Error('The graph of parameters has another format than in Prisma 7.10.')

function find(text, pattern) {
  const found = text.match(pattern)
  if (!found) throw new Error(`Prisma's client has changed: ${pattern} is not in it.`)
  return found
}
