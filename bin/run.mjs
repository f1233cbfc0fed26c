// Runs one command as a child that ends when this process exits or is signalled (except SIGKILL), reports progress and
// keeps the output.
import { spawn } from 'node:child_process'

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
const children = new Set()

/**
 * Runs a command and returns `{ code, output }`. `label` shows progress on stderr while the command runs; `show`
 * passes the output through instead of keeping it; `limitSeconds` kills a hanging command; `onStart` receives its
 * process id.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {
 *   label?: string, show?: boolean, limitSeconds?: number, onStart?: (pid: number) => void
 * }} [options]
 * @returns {Promise<{ code: number, seconds: number, output: string }>}
 */
export function run(command, args, { label, show = false, limitSeconds = 1800, onStart, ...options } = {}) {
  const began = Date.now()
  const stopProgress = label && !show ? showProgress(label, began) : () => {}
  return new Promise((resolve) => {
    const chunks = []
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    if (children.size === 0) watchSignals()
    children.add(child)
    if (child.pid) onStart?.(child.pid)
    const limit = setTimeout(() => end(child, 'SIGKILL'), limitSeconds * 1000)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (show ? process.stdout.write(chunk) : chunks.push(chunk)))
    }
    const finish = (code, reason) => {
      clearTimeout(limit)
      stopProgress()
      children.delete(child)
      if (children.size === 0) unwatchSignals()
      resolve({
        code,
        seconds: (Date.now() - began) / 1000,
        output: `${Buffer.concat(chunks)}${reason ? `\n${reason}` : ''}`.trim(),
      })
    }
    child.on('error', (fault) => finish(127, `${command}: ${fault.message}`))
    child.on('close', (code, signal) => finish(code ?? 1, signal ? `ended by ${signal}` : ''))
  })
}

/**
 * While a child runs, a signal to this process first ends the child and its descendants. Without a child, signals are
 * left to the caller.
 */
function watchSignals() {
  for (const signal of Object.keys(signals)) process.on(signal, endWithChildren)
  process.on('exit', killChildren)
}

function unwatchSignals() {
  for (const signal of Object.keys(signals)) process.off(signal, endWithChildren)
  process.off('exit', killChildren)
}

function endWithChildren(signal) {
  const leave = () => process.exit(signals[signal])
  for (const child of children) {
    end(child, signal)
    child.on('close', leave)
  }
  setTimeout(leave, 5000).unref()
}

function killChildren() {
  for (const child of children) end(child, 'SIGKILL')
}

// A detached child leads its own process group, so that the signal also reaches the workers of npm and Next.
function end(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The child has already ended.
  }
}

function showProgress(label, began) {
  const isTerminal = process.stderr.isTTY
  const seconds = () => Math.round((Date.now() - began) / 1000)
  process.stderr.write(isTerminal ? `… ${label}` : `… ${label}\n`)
  const timer = setInterval(
    () =>
      process.stderr.write(
        isTerminal ? `\r… ${label} (${seconds()} s)` : `… ${label}: still running after ${seconds()} s\n`,
      ),
    isTerminal ? 1000 : 10_000,
  )
  return () => {
    clearInterval(timer)
    if (isTerminal) process.stderr.write('\r\x1b[2K')
  }
}
