// Runs one command as a child that cannot outlive us, says that it is still running, and keeps what it printed.
import { spawn } from 'node:child_process'

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
const children = new Set()

/**
 * Runs a command and answers `{ code, output }`. `label` shows progress on stderr while it lasts; `show` passes the
 * output through instead of keeping it; `limitSeconds` ends a command that hangs; `onStart` is told its process id.
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

/** While a child runs, a signal to us ends it and its descendants first; with none, signals are the caller's affair again. */
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

// A detached child leads a process group of its own: the signal reaches npm's and Next's workers too.
function end(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has already gone.
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
