import { randomBytes } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { openResolver } from '#lib/relay/dns/resolver'
import { explain } from './explain.ts'
import { runCommandLine } from './run.ts'

// A reader that closes the pipe early (`| head`) is not a fault.
process.stdout.on('error', () => process.exit())
// A signal may end the process at any time. Every command therefore writes in one transaction, which the database rolls
// back when the connection ends, or in steps that running the command again completes. `exit` handlers remove temporary
// files.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.once(signal, () => process.exit(code))
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env: process.env,
    now: new Date(),
    random: randomBytes,
    resolver: openResolver(),
    readStdin: () => buffer(process.stdin),
    lowerPriority: () => setPriority(constants.priority.PRIORITY_LOW),
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
  })
} catch (fault) {
  process.stderr.write(`${explain(fault)}\n`)
  process.exitCode = 1
}
