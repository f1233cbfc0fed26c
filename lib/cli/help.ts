import type { Command } from './command.ts'

/** What there is, for `--help` and for a command nobody knows. */
export function help(commands: Command[]): string {
  const width = Math.max(...commands.map((command) => synopsis(command).length))
  const lines = commands.map((command) => `  ${synopsis(command).padEnd(width)}  ${command.summary}`)
  return ['Usage: npm run -s cli -- COMMAND [--json]', '', ...lines, '', closing].join('\n')
}

/** What one command takes. */
export function commandHelp(command: Command): string {
  return [`Usage: npm run -s cli -- ${synopsis(command)} [--json]`, '', `  ${command.summary}`, '', closing].join('\n')
}

function synopsis({ usage, options }: Command): string {
  return [usage, ...Object.keys(options ?? {}).map((name) => `[--${name}]`)].join(' ')
}

const closing = `  --json     only JSON on stdout, nothing for people on stderr
  --version  which version this is
  --help     this

stdout is one JSON value when it is not a terminal; all else goes to stderr. Settings come from the environment or .env
(see .env.example). Exit codes: 0 done, 1 refused or a check failed, 2 wrong usage.`
