import { parseArgs } from 'node:util'

/** The text that --help prints. */
export const usage = `Usage: npm run bench -- [GROUP …] [--only TEXT] [--seconds 3] [--runs 5] [--connections 32] [--chart FILE]

  protocol, discovery   requests per second beside oidc-provider and plain \`next start\`
  servers               requests per second on PostgreSQL beside Keycloak and Hydra, if KEYCLOAK_HOME names the folder of
                        Keycloak's distribution or HYDRA the program of Hydra
  relay                 the mail relay beside Postfix [--only 20] [--seconds 3] [--runs 5]
  isolation             a token refresh, alone, beside 200 concurrent sign-ins, and beside a busy app [--seconds 3] [--runs 5]
  sweep                 how fast expired rows are removed, and the time of a token refresh during the removal [--rows 10000000]
                        [--seconds 3] [--runs 5]
  scale                 a full database beside an empty one [--only SQLite] [--people 1000000] [--authorizations 10000000]
                        [--seconds 3] [--runs 5]
  memory                memory of a server over mixed operations [--operations 200000]
  storm                 whether memory is given back after a storm [--operations 200000] [--rest 300]
  timing                whether response times reveal that a username or a relay address exists
  newcomer              how long a new person takes to sign up and return to the app, at human typing speed
  pages                 time and size of every page at 16 connections [--only TEXT] [--seconds 3] [--runs 5] [--profile FOLDER]
  profile               where the time of a hot request goes, for Postern on both databases and the floor [--only TEXT]
                        [--seconds 3]
  calls                 system calls of a hot request, by strace, for the same servers as profile [--only TEXT] [--seconds 3]
  drivers               \`pg\` beside \`postgres\`, if POSTGRES_JS names the folder of that package [--seconds 3] [--runs 5]
  console               time of the pages of a team with 1,000 apps and of an app with 10,000 failures
  start                 how long \`npm start\` takes in a fresh clone, and at the second start

Without a group, the command measures discovery, protocol, servers, isolation and scale one after the other, which takes an
hour or more. Without a group but with --only, it measures the rows of discovery, protocol and servers whose names contain
TEXT. Name a group first; discovery, protocol and servers can be named together. The values above are the defaults. Times are
in seconds. The command prints tables to stdout and progress to stderr. --chart also writes the rates of discovery, protocol
and servers to an SVG file.`

/** Parses the options of a group that cannot be combined with others. */
export function parseAlone(args: string[]) {
  const { positionals, ...wishes } = parse(args)
  if (positionals.length > 0) throw new Error(`This group runs alone, without ${positionals.join(', ')}.`)
  return wishes
}

/** Parses the command line: the groups, and the options with their defaults. */
export function parse(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '3' },
      runs: { type: 'string', default: '5' },
      connections: { type: 'string', default: '32' },
      rows: { type: 'string', default: '10000000' },
      people: { type: 'string', default: '1000000' },
      authorizations: { type: 'string', default: '10000000' },
      operations: { type: 'string', default: '200000' },
      rest: { type: 'string', default: '300' },
      only: { type: 'string' },
      chart: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const options = {
    seconds: positive('seconds', values.seconds),
    runs: positive('runs', values.runs),
    connections: positive('connections', values.connections),
    rows: positive('rows', values.rows),
    people: positive('people', values.people),
    authorizations: positive('authorizations', values.authorizations),
    operations: positive('operations', values.operations),
    rest: positive('rest', values.rest),
  }
  return { positionals, only: values.only, chart: values.chart, profile: values.profile, options }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`)
  return value
}
