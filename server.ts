// The front door: one process, both hosts (design §1). Database times are written and compared in UTC.
process.env.TZ = 'UTC'

import type { Server } from 'node:http'
import next from 'next'
import { endpoints, health, journey } from './app/routes.ts'
import { type Context, getContext } from './lib/context.ts'
import { startRelyingParty } from './lib/demo/relying-party.ts'
import { demoPerson, seedDemo } from './lib/demo/seed.ts'
import { makeFrontDoor } from './lib/front-door/front-door.ts'
import { listen, listenAll } from './lib/front-door/listen.ts'
import { answerMetrics } from './lib/front-door/metrics.ts'
import { makeAnswerPage } from './lib/front-door/page.ts'
import { routeTable } from './lib/front-door/route-table.ts'
import { makeShutdown } from './lib/front-door/shutdown.ts'
import { makeWatch } from './lib/front-door/watch.ts'
import { startJobs } from './lib/jobs/jobs.ts'
import { makeIsAmong } from './lib/network.ts'
import { openRelay } from './lib/relay/server.ts'
import { explainFault } from './lib/start-up-fault.ts'
import { startTracing } from './lib/trace.ts'

const development = process.env.NODE_ENV !== 'production'

async function start() {
  const context = await getContext()
  const { config, log } = context
  const demo = config.demo && config.roles.includes('web')
  if (demo) await seedDemo(process.env, demoUrl(context))
  const tracing = await startTracing(process.env, config.serviceName)
  const watch = makeWatch(context, tracing?.tracer)
  const servers: Server[] = []
  if (config.roles.includes('web')) {
    const page = await openPages(context)
    const door = makeFrontDoor(
      context,
      { endpoints: routeTable(endpoints), journey: routeTable(journey), health: routeTable(health), page },
      watch,
    )
    servers.push(...(await listenAll([config.listen.issuer, config.listen.account], door)))
  }
  if (demo)
    servers.push(await startRelyingParty({ issuer: config.issuer, url: demoUrl(context), ...config.listen.demo }))
  if (config.listen.metrics) {
    servers.push(await listen(config.listen.metrics, answerMetrics(context, routeTable(health))))
  }
  const relay = config.roles.includes('relay') ? await startRelay(context) : undefined
  if (relay) log.info(sayWhereMailGoesIn(context))
  const stopJobs = config.roles.includes('jobs') ? startJobs(context) : () => undefined
  makeShutdown(context, { servers, relay }, async () => {
    stopJobs()
    await tracing?.stop()
  })
  if (config.roles.includes('web')) log.info(`ready: ${config.accountUrl} (pages), ${config.issuer} (issuer)`)
  if (demo)
    log.info(
      `try it: ${demoUrl(context)}, signing in as ${demoPerson.username} with the password: ${demoPerson.password}`,
    )
}

/** Mail for relay addresses comes in here (design §7). */
const startRelay = ({ config, relay }: Context) =>
  openRelay(relay, { ...config.listen.relay, tls: config.relayTls, isFront: makeIsAmong(config.trustProxy) })

function sayWhereMailGoesIn({ config, mailbox }: Context): string {
  const { host, port } = config.listen.relay
  const shown = mailbox ? `, shown at ${config.accountUrl}/dev/inbox` : ''
  return `mail to relay addresses: ${host}:${port}${shown}`
}

const demoUrl = ({ config }: Context) => `http://${config.listen.demo.host}:${config.listen.demo.port}`

async function openPages({ config }: Context) {
  const { hostname } = new URL(config.accountUrl)
  const app = next({ dev: development, hostname, port: config.listen.account.port })
  await app.prepare()
  return makeAnswerPage(app.getRequestHandler(), { lean: !development, serviceName: config.serviceName })
}

start().catch((fault: unknown) => {
  console.error(explainFault(fault))
  process.exit(1)
})
