// Serves both hosts in this process, with the mail listener and the background jobs (design §1).
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createSecureContext } from 'node:tls'
import { closeArgon2, shareArgon2 } from '#lib/crypto/argon2/derive'
import { collectGarbage } from '#lib/queue/collect-garbage'
import { openResolver } from '#lib/relay/dns/resolver'
import { openRelay } from '#lib/relay/inbound/server'
import { watchTextsAndBrand } from '#lib/server/brand/watch-texts-and-brand'
import { answerParent } from '#lib/server/cluster/worker-questions'
import { collectAtRest } from '#lib/server/collect-at-rest'
import type { Context } from '#lib/server/compose/context'
import { getContext } from '#lib/server/compose/process-context'
import { demoPerson, seedDemo } from '#lib/server/demo/seed'
import { welcome } from '#lib/server/demo/welcome'
import { patienceInDevelopment, usualPatience } from '#lib/server/front-door/deadline'
import { routeTable } from '#lib/server/front-door/route-table'
import { makeWatch, type Watch } from '#lib/server/front-door/watch'
import { startJobs } from '#lib/server/jobs/jobs'
import { watchBacklogs } from '#lib/server/jobs/watch-backlogs'
import { keepDate } from '#lib/server/keep-date'
import { listen, listenAll } from '#lib/server/listen'
import { openNode } from '#lib/server/nodes/node'
import { answerMetrics } from '#lib/server/observe/answer-metrics'
import { takeConsole } from '#lib/server/observe/log'
import { startTracing } from '#lib/server/observe/trace'
import { using } from '#lib/server/settings/start-up-fault'
import { exitOnSignals, makeShutdown } from '#lib/server/shutdown'
import { makeIsAmong } from '#lib/text/network'
import { health, onBothHosts } from './app/health.ts'

const development = process.env.NODE_ENV !== 'production'

/**
 * Opens all listeners and starts the jobs. `forgetFirstSignals` ends the handling of signals of a process
 * without a row among the nodes.
 */
export async function serve(forgetFirstSignals: () => void) {
  const context = await getContext()
  const { config, log } = context
  if (!development) takeConsole(log)
  if (cluster.isWorker) shareArgon2(config.workers)
  const node = await openNode(context)
  forgetFirstSignals()
  const forgetSignals = exitOnSignals(node.leave)
  const { unready } = context
  context.unready = async () => node.unfit() ?? unready()
  const demo = config.roles.includes('web') ? config.demoUrl : undefined
  if (demo) await seedDemo(applyDeclaration, demo)
  const tracing = await startTracing(process.env, config.serviceName)
  const servers: Server[] = []
  if (config.roles.includes('web')) servers.push(...(await openWeb(context, makeWatch(context, tracing?.tracer))))
  if (demo) servers.push(await using('DEMO_LISTEN', () => openDemo(context, demo)))
  const relay = config.roles.includes('relay') ? await startRelay(context) : undefined
  // Opens last: when the readiness check succeeds, all other listeners are open.
  const metrics = cluster.isWorker ? undefined : config.listen.metrics
  if (metrics) {
    servers.push(await using('METRICS_LISTEN', () => listen(metrics, answerMetrics(context, routeTable(health)))))
  }
  if (relay) log.info(describeMailListener(context))
  const stopJobs = config.roles.includes('jobs') ? startJobs(context) : undefined
  const stopWatching = watchBacklogs(context)
  collectAtRest()
  if (development) watchTextsAndBrand(config, log)
  forgetSignals()
  answerParent({
    readiness: async () => (await context.unready()) ?? '',
    metrics: () => context.metrics.registry.getMetricsAsJSON(),
  })
  makeShutdown(context, { servers, relay, node }, async () => {
    stopWatching()
    await stopJobs?.()
    await closeArgon2()
    await tracing?.stop()
  })
  if (config.roles.includes('web')) log.info(`ready: ${config.accountUrl} (pages), ${config.issuer} (issuer)`)
  if (!demo) return
  const stop = process.stderr.isTTY ? 'Ctrl-C' : `kill ${process.pid}`
  const { accountUrl } = config
  const hasInbox = context.mailbox !== undefined
  const box = welcome({ demoUrl: demo, accountUrl, person: demoPerson, hasInbox, stop })
  // On a terminal, another thread writes the log. Logging the welcome box too makes it appear after all earlier lines.
  if (process.stdout.isTTY && log.isLevelEnabled('info')) log.info(`open the demo app:\n\n${box}\n`)
  else process.stderr.write(`\n${box}\n\n`)
}

/** Applies a declaration as an operator does, with `cli apply`. */
async function applyDeclaration(declaration: object): Promise<void> {
  const { runCommandLine } = await import('#lib/cli/run')
  let answer = ''
  const status = await runCommandLine(['apply', '-', '--json'], {
    env: process.env,
    now: new Date(),
    random: randomBytes,
    resolver: openResolver(),
    readStdin: async () => Buffer.from(JSON.stringify(declaration)),
    stdout: (text) => {
      answer += text
    },
    stderr: () => undefined,
    isTerminal: false,
  })
  if (status !== 0) throw new Error(`The demo could not be set up: ${answer}`)
}

/** Opens the SMTP server for mail to relay addresses (design §7). */
async function startRelay({ config, relay }: Context) {
  const { relayTls: tls } = config
  if (tls) {
    const cert = await using('RELAY_TLS_CERT', () => readFile(tls.cert))
    const key = await using('RELAY_TLS_KEY', () => readFile(tls.key))
    await using('RELAY_TLS_CERT', () => createSecureContext({ cert, key }))
  }
  const isFront = makeIsAmong(config.relayFront)
  return using('RELAY_LISTEN', () => openRelay(relay, { ...config.listen.relay, tls, isFront }))
}

function describeMailListener({ config, mailbox }: Context): string {
  const { host, port } = config.listen.relay
  const shown = mailbox ? `, shown at ${config.accountUrl}/dev/inbox` : ''
  return `mail to relay addresses: ${host}:${port}${shown}`
}

/** Opens both hosts. Loads the page code here, so that a process without pages stays small and starts fast. */
async function openWeb(context: Context, watch: Watch): Promise<Server[]> {
  const { config } = context
  const { listen: at, accountUrl } = config
  const { loadRoutes } = await import('./app/routes.ts')
  const { makeFrontDoor } = await import('#lib/server/front-door/front-door')
  const { makeAnswerPage } = await import('#lib/server/front-door/pages/answer-page')
  const app = await keepDate(async () => {
    const { default: next } = await import('next')
    const loaded = next({ dev: development, hostname: new URL(accountUrl).hostname, port: at.account.port })
    await loaded.prepare()
    return loaded
  })
  const page = makeAnswerPage(app.getRequestHandler(), !development, context)
  const { endpoints, steps, pages } = await loadRoutes()
  const tables = { endpoints: routeTable(endpoints), steps: routeTable(steps), pages: routeTable(pages) }
  // Loading the code left 30 MiB of garbage, and the first request would have to wait for its collection.
  await collectGarbage()
  const patience = development ? patienceInDevelopment : usualPatience
  const door = makeFrontDoor(context, { ...tables, health: routeTable(onBothHosts), page }, watch, patience)
  return listenAll({ LISTEN_ISSUER: at.issuer, LISTEN_ACCOUNT: at.account }, door, { upgrades: development })
}

async function openDemo({ config, mailbox }: Context, url: string): Promise<Server> {
  const { startRelyingParty } = await import('#lib/server/demo/relying-party')
  const { openSender } = await import('#lib/server/demo/send-message')
  const { issuer, accountUrl, teams, relayDomain, roles, listen } = config
  return startRelyingParty({
    issuer,
    url,
    ...listen.demo,
    sendMessage: openSender(listen.relay),
    ways: {
      accountUrl,
      hasInbox: mailbox !== undefined,
      hasConsole: teams !== 'off',
      relayDomain: roles.includes('relay') ? relayDomain : undefined,
    },
  })
}
