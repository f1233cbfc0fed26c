import { expect, test } from 'vitest'
import { makeLog } from './log.ts'

function setUp() {
  const lines: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

const address = 'ada.lovelace@example.org'
const secret = 'rt_Zm9vYmFyYmF6cXV4.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'

test('neither an address nor a secret of a person reaches a log line, wherever it stands', () => {
  const { log, lines } = setUp()
  log.info(
    { to: address, token: secret, err: new Error(`no mailbox ${address} for ${secret}`) },
    `mail ${address} ${secret}`,
  )
  const text = JSON.stringify(lines)
  expect(text).not.toContain(address)
  expect(text).not.toContain(secret)
  expect(text).toContain('[address]')
  expect(text).toContain('[secret]')
})

test('what Prisma quotes of a call stays out; the reason stays in', () => {
  const { log, lines } = setUp()
  const fault = new Error('Invalid `create()` invocation:\n{ data: { name: "Ada" } }\n\nUnique constraint failed')
  fault.name = 'PrismaClientKnownRequestError'
  log.error({ err: fault }, 'request failed')
  expect(lines[0]).toMatchObject({ level: 'error', err: { message: 'Unique constraint failed' } })
  expect(JSON.stringify(lines)).not.toContain('Ada')
})

test('a request id stays readable', () => {
  const { log, lines } = setUp()
  log.info({ requestId: 'q3J5xv0aBcDe' }, 'request')
  expect(lines[0]).toMatchObject({ requestId: 'q3J5xv0aBcDe', msg: 'request' })
})
