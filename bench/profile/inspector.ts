import { setTimeout as sleep } from 'node:timers/promises'

export type CpuProfile = {
  nodes: ProfiledNode[]
  samples: number[]
  timeDeltas: number[]
}
export type ProfiledNode = {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}

/** Every node process listens here after SIGUSR1, so only one can be profiled at a time. */
const inspector = 'http://127.0.0.1:9229/json/list'

/** Profiles the main thread of a node process during `work`, in samples of 0.2 ms. */
export async function profileDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ profile: CpuProfile; result: T }> {
  if (await listTargets()) throw new Error(`Another process listens at ${inspector}. Stop it, so that this one can.`)
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await findSocket())
  await new Promise((opened, refused) => {
    socket.addEventListener('open', opened)
    socket.addEventListener('error', refused)
  })
  try {
    await ask(socket, 'Profiler.enable')
    await ask(socket, 'Profiler.setSamplingInterval', { interval: 200 })
    await ask(socket, 'Profiler.start')
    const result = await work()
    const { profile } = (await ask(socket, 'Profiler.stop')) as { profile: CpuProfile }
    return { profile, result }
  } finally {
    // Another process can then listen. Closing waits for the session, so it comes after this answer.
    const close = "void setTimeout(() => process.getBuiltinModule('node:inspector').close(), 50)"
    await ask(socket, 'Runtime.evaluate', { expression: close })
    socket.close()
    while (await listTargets()) await sleep(20)
  }
}

async function findSocket(): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [target] = (await listTargets()) ?? []
    if (target) return target.webSocketDebuggerUrl
    await sleep(50)
  }
  throw new Error(`The process does not listen at ${inspector}.`)
}

/** Returns undefined if no process listens. */
async function listTargets(): Promise<{ webSocketDebuggerUrl: string }[] | undefined> {
  const answer = await fetch(inspector, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  return (await answer?.json()) as { webSocketDebuggerUrl: string }[] | undefined
}

/** Sends one command and returns its result. There is one command at a time. */
function ask(socket: WebSocket, method: string, params = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('close', () => reject(new Error(`${method}: the process has ended.`)), { once: true })
    socket.addEventListener(
      'message',
      ({ data }) => {
        const { result, error } = JSON.parse(String(data))
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result)
      },
      { once: true },
    )
    socket.send(JSON.stringify({ id: 1, method, params }))
  })
}
