import type { Options } from '../measure.ts'
import { runMail } from './mail-load.ts'
import { postern } from './postern.ts'
import { postfix } from './postfix.ts'
import { startSink } from './sink.ts'
import { type MailFigure, renderMailTable, summarizeMail } from './table.ts'
import type { MailContestant, MailResult, MailServer } from './types.ts'

/** The size of the message text and the number of concurrent connections. */
const rows = [
  { name: '4 KiB', bytes: 4 * 1024, connections: 32 },
  { name: '70 KiB', bytes: 70 * 1024, connections: 32 },
  { name: '20 MiB', bytes: 20 * 1024 * 1024, connections: 4 },
]
type Row = (typeof rows)[number]

/** Compares Postern's relay with Debian's Postfix, with the same client in front and the same mail server behind. */
export async function compareRelay(options: Options, only: string | undefined, tell: (line: string) => void) {
  const figures: MailFigure[] = []
  try {
    for (const row of rows.filter(({ name }) => !only || name.includes(only)))
      figures.push(...(await measureRow(row, options, tell)))
  } catch (fault) {
    // Figures measured before a failure remain valid.
    tell((fault as Error).message)
  }
  return renderMailTable(figures)
}

type Entry = { contestant: MailContestant; server: MailServer; results: MailResult[] }

/** Alternates between the servers (A B A B …), so that a slow minute of the machine affects both alike. */
async function measureRow(row: Row, options: Options, tell: (line: string) => void): Promise<MailFigure[]> {
  const connections = Math.min(options.connections, row.connections)
  const load = { bytes: row.bytes, connections, seconds: options.seconds }
  const running: Entry[] = []
  const sink = await startSink()
  try {
    for (const contestant of [postern, postfix]) {
      const server = await contestant.start(sink.port)
      if (typeof server === 'string') tell(server)
      else running.push({ contestant, server, results: [] })
    }
    for (let run = 1; run <= options.runs; run++) {
      for (const { contestant, server, results } of running) {
        const result = await runMail(server, load)
        results.push(result)
        tell(`${row.name}, run ${run}/${options.runs}, ${contestant.name}: ${inWords(result)}`)
      }
    }
  } finally {
    for (const { server } of running) await server.stop()
    await sink.stop()
  }
  const name = `${row.name}, ${connections} connections`
  return running.map(({ contestant, results }) => summarizeMail(name, contestant.name, results))
}

const inWords = ({ messages, seconds, generatorShare }: MailResult) =>
  `${(messages / seconds).toFixed(1)} messages/s for ${seconds.toFixed(1)} s (generator ${Math.round(generatorShare * 100)} % busy)`
