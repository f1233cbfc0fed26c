import type { Command } from './command.ts'

/** Returns the usage of several commands, for `--help` and after a wrong command line. */
export function help(commands: Command[]): string {
  const lines = commands.map((command) => `  ${synopsis(command)}\n      ${command.summary}`)
  return ['Usage: npm run -s cli -- COMMAND [--json]', '', ...lines, '', closing].join('\n')
}

/** Returns the usage of one command. */
export function commandHelp(command: Command): string {
  return [`Usage: npm run -s cli -- ${synopsis(command)} [--json]`, '', `  ${command.summary}`, '', closing].join('\n')
}

function synopsis({ usage, options }: Command): string {
  const shown = Object.entries(options ?? {}).map(([name, { type }]) =>
    type === 'string' ? `[--${name} ${name.toUpperCase()}]` : `[--${name}]`,
  )
  return [usage, ...shown].join(' ')
}

const closing = `  --json     only JSON on stdout, nothing for people on stderr
  --init     create the missing database where neither DATABASE_URL nor DATA_DIR is set
  --version  the version
  --help     this text; after a command, its usage

stdout is one JSON value when it is not a terminal; all else goes to stderr. Settings come from the environment or .env
(see .env.example). Exit codes: 0 done, 1 refused or a check failed, 2 wrong usage.`
