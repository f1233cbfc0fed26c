import { expect, it } from 'vitest'
import { withRequest } from '#lib/queue/current-request'
import { makeLog, takeConsole } from './log.ts'

function setUp() {
  const lines: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

const address = 'ada.lovelace@example.org'
const secret = 'rt_Zm9vYmFyYmF6cXV4.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'

it('masks addresses and secrets anywhere in a line', () => {
  const { log, lines } = setUp()
  log.info(
    { to: address, token: secret, err: new Error(`no mailbox ${address} for ${secret}`) },
    `mail ${address} ${secret}`,
  )
  log.info({ deep: { er: [{ to: `<${address}>` }] } })
  log.child({ who: address }).info('hello')
  log.info({ err: new Error(`"${address}"\n${secret}`) })
  log.info('%s is %s', address, secret)
  const text = JSON.stringify(lines)
  expect(lines).toHaveLength(5)
  expect(text).not.toContain(address)
  expect(text).not.toContain(secret)
  expect(text).toContain('[address]')
  expect(text).toContain('[secret]')
})

it('keeps the route of a request, which is a template, at any length', () => {
  const { log, lines } = setUp()
  log.info({ route: '/.well-known/oauth-authorization-server' }, 'request')
  expect(lines[0]).toMatchObject({ route: '/.well-known/oauth-authorization-server' })
})

it('drops the quoted call of a Prisma error and keeps its reason', () => {
  const { log, lines } = setUp()
  const fault = new Error('Invalid `create()` invocation:\n{ data: { name: "Ada" } }\n\nUnique constraint failed')
  fault.name = 'PrismaClientKnownRequestError'
  log.error({ err: fault }, 'request failed')
  expect(lines[0]).toMatchObject({ level: 'error', err: { message: 'Unique constraint failed' } })
  expect(JSON.stringify(lines)).not.toContain('Ada')
})

it('adds the id of the request to each line', async () => {
  const { log, lines } = setUp()
  await withRequest({ id: 'r-1', address: '', abandoned: () => AbortSignal.any([]) }, async () => {
    await Promise.resolve()
    log.info({ code: 'invalid_client' }, 'refused')
  })
  log.info('nobody asked')
  expect(lines).toMatchObject([{ requestId: 'r-1', msg: 'refused' }, { msg: 'nobody asked' }])
  expect(lines[1]).not.toHaveProperty('requestId')
})

it('logs console output of libraries', () => {
  const { log, lines } = setUp()
  const { error, warn, log: say } = console
  try {
    takeConsole(log)
    console.error(' ⨯', new Error(`no such column for ${address}`))
    console.warn('old\n{ data: "Ada" }')
    console.error('(node:7) DeprecationWarning: this goes one day')
  } finally {
    Object.assign(console, { error, warn, log: say })
  }
  expect(lines).toMatchObject([
    { level: 'error', msg: '⨯', err: { message: 'no such column for [address]' } },
    { level: 'warn', msg: 'old' },
    { level: 'warn', msg: '(node:7) DeprecationWarning: this goes one day' },
  ])
})

it('keeps a request id readable', () => {
  const { log, lines } = setUp()
  log.info({ requestId: 'q3J5xv0aBcDe' }, 'request')
  expect(lines[0]).toMatchObject({ requestId: 'q3J5xv0aBcDe', msg: 'request' })
})
