import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../server-process.ts'

/** Keeps the event loop of a node busy with one task, through the inspector that SIGUSR1 opens. */
export async function blockEventLoop(node: ServerProcess, seconds: number): Promise<void> {
  const socket = new WebSocket(await openInspector(node))
  await new Promise((done, fail) => {
    socket.onopen = done
    socket.onerror = () => fail(new Error('The inspector does not answer.'))
  })
  const expression = `{ const end = performance.now() + ${seconds * 1000}; while (performance.now() < end); } 'done'`
  const answer = new Promise<string>((done) => {
    socket.onmessage = ({ data }) => done(String(data))
  })
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  const { result } = JSON.parse(await answer)
  socket.close()
  if (result?.result?.value !== 'done') throw new Error(`The event loop was not blocked: ${await answer}`)
}

/** Opens the inspector of a node, which must not be open yet, and returns the address that Node prints. */
async function openInspector(node: ServerProcess): Promise<string> {
  const before = node.logs().length
  node.signal('SIGUSR1')
  for (const until = performance.now() + 10_000; performance.now() < until; await pause(50)) {
    const address = /Debugger listening on (ws:\S+)/.exec(node.logs().slice(before))?.[1]
    if (address) return address
  }
  throw new Error(`The inspector does not open: ${node.logs().slice(before)}`)
}
