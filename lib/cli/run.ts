import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { apply } from '#lib/cli/apply/apply'
import { backup } from '#lib/cli/backup/backup'
import { epoch } from '#lib/cli/backup/begin-epoch'
import { restore } from '#lib/cli/backup/restore'
import { apiCommands } from '#lib/cli/commands/api'
import { appCommands } from '#lib/cli/commands/app'
import { appFailureCommands } from '#lib/cli/commands/app-failures'
import { appMailCommands } from '#lib/cli/commands/app-mail'
import { appStateCommands } from '#lib/cli/commands/app-state'
import { inviteCommands } from '#lib/cli/commands/invite'
import { relayCommands } from '#lib/cli/commands/relay'
import { teamCommands } from '#lib/cli/commands/team'
import { userCommands } from '#lib/cli/commands/user'
import { userAccountCommands } from '#lib/cli/commands/user-account'
import { userRecoveryCommands } from '#lib/cli/commands/user-recovery'
import { doctor } from '#lib/cli/doctor/doctor'
import { masterKeyCommands } from '#lib/cli/keys/master-key'
import { keyCommands } from '#lib/cli/keys/signing-keys'
import { operatorCommands } from '#lib/cli/operators/operator'
import { jobCommands } from '#lib/cli/system/jobs'
import { nodeCommands } from '#lib/cli/system/nodes'
import { didYouMean } from '#lib/text/did-you-mean'
import type { Answer, Call, Command } from './command.ts'
import { commandHelp, help } from './help.ts'
import { printable, printableJson, secretBlock } from './printable.ts'

/** Every command of the operator. */
export const commands: Command[] = [
  apply,
  doctor,
  ...userCommands,
  ...userAccountCommands,
  ...userRecoveryCommands,
  ...inviteCommands,
  ...operatorCommands,
  ...teamCommands,
  ...appCommands,
  ...appStateCommands,
  ...appFailureCommands,
  ...appMailCommands,
  ...apiCommands,
  ...relayCommands,
  ...keyCommands,
  ...masterKeyCommands,
  ...nodeCommands,
  ...jobCommands,
  backup,
  restore,
  epoch,
]
const common = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
  init: { type: 'boolean' },
} as const

/** The inputs and outputs of one command line; `main.ts` passes those of the process. */
export type Edge = Pick<Call, 'env' | 'now' | 'random' | 'resolver' | 'readStdin' | 'lowerPriority'> & {
  stdout(text: string): void
  stderr(text: string): void
  isTerminal: boolean
}

/** Runs one command line and returns the exit code. Writes only the answer to stdout (design §8). */
export async function runCommandLine(said: string[], edge: Edge): Promise<number> {
  const words = said[0] === 'help' ? [...said.slice(1), '--help'] : said
  const command = commands.find(({ usage }) => selects(usage, words))
  const parsed = parse(words, command)
  if ('wrong' in parsed) return usageFault(parsed.wrong, usageOf(command, words), edge)
  const { values, positionals } = parsed
  if (values.version) return print(values.json ? JSON.stringify({ version: version() }) : version(), edge)
  if (values.help) return print(usageOf(command, words), edge)
  if (!command) return usageFault(unknownCommand(positionals), usageOf(command, words), edge)
  const args = positionals.slice(namesOf(command.usage).length)
  if (args.length !== argumentsOf(command.usage).length)
    return usageFault(`It takes: ${command.usage}`, commandHelp(command), edge)
  const say = (line: string) => (values.json ? undefined : edge.stderr(`${printable(line)}\n`))
  return show(await command.run({ ...edge, args, flags: values, say }), values.json === true, edge)
}

const namesOf = (usage: string) => usage.split(' ').filter((word) => word === word.toLowerCase())
const argumentsOf = (usage: string) => usage.split(' ').filter((word) => word !== word.toLowerCase())
const plainOf = (words: string[]) => words.filter((word) => !word.startsWith('-') || word === '-')

function selects(usage: string, words: string[]): boolean {
  const plain = plainOf(words)
  return namesOf(usage).every((name, index) => plain[index] === name)
}

/** Returns the usage of the given command; else of every command with the same first word; else of all commands. */
function usageOf(command: Command | undefined, words: string[]): string {
  if (command) return commandHelp(command)
  const [first] = plainOf(words)
  const alike = commands.filter(({ usage }) => namesOf(usage)[0] === first)
  return help(alike.length > 0 ? alike : commands)
}

function unknownCommand(words: string[]): string {
  if (words.length === 0) return ''
  const names = commands.map(({ usage }) => namesOf(usage))
  // Arguments follow the words of a command, so this tries every possible number of words, the greatest first.
  const hints = [3, 2, 1].map((length) =>
    didYouMean(
      words.slice(0, length).join(' '),
      names.filter((name) => name.length === length).map((name) => name.join(' ')),
    ),
  )
  return `There is no command "${words.join(' ').slice(0, 100)}".${hints.find((hint) => hint !== '') ?? ''}`
}

function parse(words: string[], command: Command | undefined) {
  const options = { ...command?.options, ...common }
  try {
    return parseArgs({ args: words, allowPositionals: true, options })
  } catch (fault) {
    const { message } = fault as Error
    const option = /^Unknown option '--?([^']*)'/.exec(message)?.[1]
    if (option === undefined) return { wrong: message }
    const guess = didYouMean(option, Object.keys(options)).replace('mean ', 'mean --')
    const written = words.find((word) => word.replace(/^--?/, '').startsWith(option))?.split('=')[0] ?? `--${option}`
    return { wrong: `There is no option ${written}.${guess || hyphenHint(words, command, written)}` }
  }
}

/** Says how to write an argument that begins with a hyphen, if an argument is missing. */
function hyphenHint(words: string[], command: Command | undefined, written: string): string {
  if (!command) return ''
  const given = plainOf(words).length - namesOf(command.usage).length
  const missing = argumentsOf(command.usage)[given]
  return missing ? ` If ${written} is the ${missing}, write -- before it.` : ''
}

function usageFault(sentence: string, usage: string, { stderr }: Edge): number {
  stderr(`${sentence ? `${printable(sentence)}\n\n` : ''}${usage}\n`)
  return 2
}

function print(text: string, { stdout }: Edge): number {
  stdout(`${text}\n`)
  return 0
}

/** Writes `text` to a terminal; writes JSON to a pipe or file, and with --json. */
function show(
  { ok, value, text, secrets = [] }: Answer,
  json: boolean,
  { stdout, stderr, isTerminal, env }: Edge,
): number {
  const forPerson = text !== undefined && isTerminal && !json
  if (forPerson) stdout(`${printable(text)}\n${secretBlock(secrets, !env.NO_COLOR)}`)
  else {
    if (text !== undefined && !json) stderr(`${printable(text)}\n`)
    stdout(`${printableJson(value)}\n`)
  }
  return ok ? 0 : 1
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
}
