import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { apply } from '#lib/cli/apply/apply'
import { appCommands } from '#lib/cli/commands/app'
import { appFailureCommands } from '#lib/cli/commands/app-failures'
import { appMailCommands } from '#lib/cli/commands/app-mail'
import { inviteCommands } from '#lib/cli/commands/invite'
import { relayCommands } from '#lib/cli/commands/relay'
import { userCommands } from '#lib/cli/commands/user'
import { doctor } from '#lib/cli/doctor/doctor'
import type { Answer, Call, Command } from './command.ts'
import { commandHelp, help } from './help.ts'

const commands: Command[] = [
  apply,
  doctor,
  ...userCommands,
  ...inviteCommands,
  ...appCommands,
  ...appFailureCommands,
  ...appMailCommands,
  ...relayCommands,
]
const common = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** What a command line is run with; `main.ts` gives the process's own. */
export type Edge = Pick<Call, 'env' | 'now' | 'random' | 'resolver' | 'readStdin'> & {
  stdout(text: string): void
  stderr(text: string): void
  isTerminal: boolean
}

/** Runs one command line; stdout carries the answer and nothing else (design §8). Answers the exit code. */
export async function runCommandLine(said: string[], edge: Edge): Promise<number> {
  const words = said[0] === 'help' ? [...said.slice(1), '--help'] : said
  const command = commands.find(({ usage }) => selects(usage, words))
  const parsed = parse(words, command)
  if ('wrong' in parsed) return usageFault(parsed.wrong, command, edge)
  const { values, positionals } = parsed
  if (values.version) return print(values.json ? JSON.stringify({ version: version() }) : version(), edge)
  if (values.help) return print(command ? commandHelp(command) : help(commands), edge)
  const unknown = positionals.length > 0 ? `There is no command "${positionals.join(' ')}".` : ''
  if (!command) return usageFault(unknown, undefined, edge)
  const args = positionals.slice(namesOf(command.usage).length)
  if (args.length !== argumentsOf(command.usage).length) return usageFault(`It takes: ${command.usage}`, command, edge)
  const say = (line: string) => (values.json ? undefined : edge.stderr(`${line}\n`))
  return show(await command.run({ ...edge, args, flags: values, say }), values.json === true, edge)
}

const namesOf = (usage: string) => usage.split(' ').filter((word) => word === word.toLowerCase())
const argumentsOf = (usage: string) => usage.split(' ').filter((word) => word !== word.toLowerCase())

function selects(usage: string, words: string[]): boolean {
  const plain = words.filter((word) => !word.startsWith('-') || word === '-')
  return namesOf(usage).every((name, index) => plain[index] === name)
}

function parse(words: string[], command: Command | undefined) {
  try {
    return parseArgs({ args: words, allowPositionals: true, options: { ...command?.options, ...common } })
  } catch (fault) {
    return { wrong: (fault as Error).message }
  }
}

function usageFault(sentence: string, command: Command | undefined, { stderr }: Edge): number {
  stderr(`${sentence ? `${sentence}\n\n` : ''}${command ? commandHelp(command) : help(commands)}\n`)
  return 2
}

function print(text: string, { stdout }: Edge): number {
  stdout(`${text}\n`)
  return 0
}

/** A person at a terminal reads the text; whatever reads a pipe gets the JSON. */
function show({ ok, value, text }: Answer, json: boolean, { stdout, stderr, isTerminal }: Edge): number {
  const forPerson = text !== undefined && isTerminal && !json
  if (text !== undefined && !json) stderr(`${text}\n`)
  if (!forPerson) stdout(`${JSON.stringify(value, null, 2)}\n`)
  return ok ? 0 : 1
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
}
