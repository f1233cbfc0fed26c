import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const fault = (message: string, properties: object = {}) => Object.assign(new Error(message), properties)
const fromAdapter = (cause: object) => fault('DriverAdapterError', { name: 'DriverAdapterError', cause })

describe('isUnavailable', () => {
  const codes =
    'ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE ENOSPC 08000 08006 25006 25P03 28P01 3D000 40001 40P01 53100 53200 53300 55P03 57014 57P01 57P02 57P03 58030 P1001 P1002 P1008 P1017 P2024 P2028 P2034 SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_FULL SQLITE_IOERR_WRITE SQLITE_READONLY_DBMOVED SQLITE_CANTOPEN'
  it.each(codes.split(' '))('recognizes %s, alone and wrapped', (code) => {
    const plain = fault('something', { code })
    const wrappings = [
      plain,
      fault('outer', { cause: plain }),
      fault('outer', { cause: fault('middle', { cause: plain }) }),
      new AggregateError([fault('another address'), plain]),
      fault('outer', { cause: new AggregateError([plain]) }),
      fault('Database error', { code: 'P2039', meta: { driverAdapterError: fromAdapter({ originalCode: code }) } }),
      fault('Raw query failed', { code: 'P2010', meta: { driverAdapterError: fromAdapter({ originalCode: code }) } }),
      fault('cannot start', { errorCode: code }),
    ]
    expect(wrappings.map(isUnavailable)).toEqual(wrappings.map(() => true))
  })

  it.each([
    fault('Connection terminated unexpectedly'),
    fault('Connection terminated due to connection timeout'),
    fault('timeout exceeded when trying to connect'),
    fault('Query read timeout'),
    fault('Client was closed and is not queryable'),
    fault('outer', { cause: fault('Query read timeout') }),
    fault('connect ENOENT /run/postgresql/.s.PGSQL.5432', { code: 'ENOENT' }),
    fault('Invalid `lease.count()`:\nconnect EACCES /run/postgresql/.s.PGSQL.5432', { code: 'EACCES' }),
    fault('connect EAGAIN /run/postgresql/.s.PGSQL.5432', { code: 'EAGAIN' }),
    fromAdapter({ kind: 'SocketTimeout' }),
    fromAdapter({ kind: 'sqlite', extendedCode: 13, message: 'database or disk is full' }),
    fromAdapter({ kind: 'sqlite', extendedCode: 778, message: 'disk I/O error' }),
  ])('recognizes an error by its message or kind: $message', (one) => {
    expect(isUnavailable(one)).toBe(true)
  })

  it.each([
    undefined,
    null,
    'ECONNREFUSED',
    new TypeError('x is undefined'),
    fault('Unique constraint failed', { code: 'P2002' }),
    fault('no such table', { code: 'SQLITE_ERROR' }),
    fault('relation does not exist', { code: '42P01' }),
    fault('ENOENT: no such file or directory, open connect', { code: 'ENOENT' }),
    fault('connect ENOENT /run/postgresql/.s.PGSQL.5432'),
    fault('connect EACCES 10.0.0.7:5432', { code: 'EACCES' }),
    fromAdapter({ kind: 'sqlite', extendedCode: 2067 }),
    fault('She wrote: Query read timeout'),
  ])('ignores any other error: %s', (one) => {
    expect(isUnavailable(one)).toBe(false)
  })

  it('handles an error that is its own cause', () => {
    const round = fault('round')
    round.cause = round
    expect(isUnavailable(round)).toBe(false)
  })
})
