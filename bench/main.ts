// npm run bench: compares the performance of Postern and its peers.
import { writeFileSync } from 'node:fs'
import { renderChart } from './chart.ts'
import { parse, parseAlone, usage } from './command-line.ts'
import { timeConsole } from './console.ts'
import { discoveryRows } from './discovery.ts'
import { compareDrivers } from './drivers.ts'
import { measureMemory } from './endurance/memory.ts'
import { measureStorm } from './endurance/storm.ts'
import { measureSweep } from './endurance/sweep.ts'
import { measureBusyApp } from './isolation/busy-app.ts'
import { measureIsolation } from './isolation/isolation.ts'
import { describeMachine } from './machine.ts'
import { type Figure, measureRow, type Options, type Row } from './measure.ts'
import { timeNewcomer } from './newcomer.ts'
import { measurePages } from './pages/measure-pages.ts'
import { profileRows } from './profile/profile-rows.ts'
import { countCalls } from './profile/system-calls.ts'
import { profiledRows, protocolRows, serverRows } from './protocol.ts'
import { compareRelay } from './relay/compare.ts'
import { measureScale } from './scale/scale.ts'
import { timeStarts } from './start.ts'
import { renderTable } from './table.ts'
import { compareRecipientTimes } from './timing/relay.ts'
import { compareSignInTimes } from './timing/sign-in.ts'

const groups: Record<string, () => Row[]> = { discovery: discoveryRows, protocol: protocolRows, servers: serverRows }

/** Runs the groups named on the command line, or the usual ones. Tables go to stdout, progress to stderr. */
async function main(args: string[]) {
  if (args.includes('--help')) return console.log(usage)
  const [first = '', ...rest] = args
  const own = ownGroups.get(first)
  if (own) return own(rest)
  const { positionals, only, chart, options } = parse(args)
  const names = positionals.length > 0 ? positionals : Object.keys(groups)
  const unknown = names.filter((name) => !Object.hasOwn(groups, name))
  if (unknown.length > 0) throw new Error(`There is no group ${unknown.join(', ')}. --help lists the groups.`)
  const machine = await describeMachine()
  const figures: Figure[] = []
  const rows = names
    .flatMap((name) => (groups[name] as () => Row[])())
    .filter((row) => !only || row.name.includes(only))
  if (rows.length === 0) throw new Error('There is no row to measure. The group servers needs KEYCLOAK_HOME or HYDRA.')
  try {
    for (const row of rows) figures.push(...(await measureRow(row, options, (line) => console.error(line))))
  } finally {
    // Figures measured before a failure remain valid.
    console.log(`${renderTable(figures)}\n\n${machine}\n${describeRuns(options)}`)
    if (chart) writeFileSync(chart, renderChart(figures))
  }
  if (positionals.length > 0 || only) return
  for (const measure of [measureBesideFlood, measureFull]) {
    console.log()
    await measure(args)
  }
}

async function measureNewcomer(args: string[]) {
  parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await timeNewcomer()}\n\n${machine}`)
}

async function compareTimes(args: string[]) {
  parseAlone(args)
  const machine = await describeMachine()
  for (const compare of [compareSignInTimes, compareRecipientTimes]) console.log(`${await compare()}\n`)
  console.log(machine)
}

async function measureStarts(args: string[]) {
  parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await timeStarts()}\n\n${machine}`)
}

async function measureConsole(args: string[]) {
  parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await timeConsole()}\n\n${machine}`)
}

async function measureEveryPage(args: string[]) {
  const { only, profile, options } = parseAlone(args)
  const machine = await describeMachine()
  const table = await measurePages({ ...options, only, profile }, (line) => console.error(line))
  console.log(`${table}\n\n${machine}\n${describePageRuns(options)}`)
}

async function observeHotRows(observe: typeof profileRows, args: string[]) {
  const { only, options } = parseAlone(args)
  const machine = await describeMachine()
  const rows = profiledRows().filter(({ name }) => !only || name.includes(only))
  console.log(`${await observe(rows, options, (line) => console.error(line))}\n\n${machine}`)
}

async function measureDrivers(args: string[]) {
  const { options } = parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await compareDrivers(options)}\n\n${machine}`)
}

async function measureRelay(args: string[]) {
  const { only, options } = parseAlone(args)
  const machine = await describeMachine()
  const table = await compareRelay(options, only, (line) => console.error(line))
  console.log(`${table}\n\n${machine}\n${describeRelayRuns(options)}`)
}

async function measureBesideFlood(args: string[]) {
  const { options } = parseAlone(args)
  const machine = await describeMachine()
  const tables: string[] = []
  for (const measure of [measureIsolation, measureBusyApp])
    tables.push(await measure(options, (line) => console.error(line)))
  console.log(`${tables.join('\n\n')}\n\n${machine}\n${describeTurns(options)}`)
}

async function measureBacklog(args: string[]) {
  const { options } = parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await measureSweep(options, (line) => console.error(line))}\n\n${machine}`)
}

async function measureFull(args: string[]) {
  const { only, options } = parseAlone(args)
  const machine = await describeMachine()
  console.log(
    `${await measureScale(options, only, (line) => console.error(line))}\n\n${machine}\n${describeRuns(options)}`,
  )
}

async function measureMemoryOf(args: string[]) {
  const { options } = parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await measureMemory(options.operations, (line) => console.error(line))}\n\n${machine}`)
}

async function measureMemoryAfterStorm(args: string[]) {
  const { options } = parseAlone(args)
  const machine = await describeMachine()
  console.log(`${await measureStorm(options, (line) => console.error(line))}\n\n${machine}`)
}

const describeRuns = ({ runs, seconds, connections }: Options) =>
  `Medians of ${runs} runs of ${seconds} s each, taking turns, over ${connections} connections kept alive. CPU and memory are the server's.`

const describePageRuns = ({ runs, seconds }: Options) =>
  `Medians of ${runs} runs of ${seconds} s each, the pages by turns, over 16 connections kept alive. CPU is that of the server's process for one request.`

const describeTurns = ({ runs, seconds }: Options) =>
  `${runs} runs of ${seconds} s each way, by turns; the client of the token endpoint is a process of its own and asks at a steady rate.`

const describeRelayRuns = ({ runs, seconds }: Options) =>
  `Medians of ${runs} runs of at least ${seconds} s and three messages a connection, taking turns, over connections kept alive; latency from MAIL to the final answer. Both hand on to the same sink (smtp-sink). Postern says yes after the sink has: checked, rewritten, signed twice, its counters committed to SQLite (FULL); on loopback it asks no DNS about the sender. Postfix says yes once the message is in its queue on disk, and hands it on later; its queue is empty before the next run. CPU is of all the server's processes until then; memory too, what they share counted once; the peak is the highest of all runs.`

/** The groups that run alone. */
const ownGroups = new Map<string, (args: string[]) => Promise<void>>([
  ['timing', compareTimes],
  ['newcomer', measureNewcomer],
  ['start', measureStarts],
  ['pages', measureEveryPage],
  ['console', measureConsole],
  ['profile', (args) => observeHotRows(profileRows, args)],
  ['calls', (args) => observeHotRows(countCalls, args)],
  ['drivers', measureDrivers],
  ['relay', measureRelay],
  ['sweep', measureBacklog],
  ['scale', measureFull],
  ['memory', measureMemoryOf],
  ['storm', measureMemoryAfterStorm],
  ['isolation', measureBesideFlood],
])

// `process.exit` also runs the handlers that stop the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (fault: Error) => {
    console.error(fault.message)
    process.exit(1)
  },
)
