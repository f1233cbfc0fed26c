import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailCodeStore } from '#lib/db/email/email-code-store'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply, fileOf, web } from '#lib/testing/databases/provision'
import { anyCharacter } from '#lib/testing/oauth/any-character'
import { withFullQueue } from '#lib/testing/process/full-queue'
import { checkCode, codeAttempts, issueCode, makeCode, readCode } from './email-code.ts'

const start = new Date('2026-11-20T10:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

onBothDatabases('e-mail codes', (open) => {
  async function setUp() {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [{ username: 'ada', password: 'correct horse' }]))
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    const store = emailCodeStore(prisma)
    const about = { personId, purpose: 'bind' } as const
    const issue = (now = start, address = 'ada@example.org') =>
      issueCode(store, { ...about, now, address, random: randomBytes })
    const issued = async (now = start, address = 'ada@example.org') => {
      const answer = await issue(now, address)
      return answer.kind === 'issued' ? answer.code : expect.fail('No code was issued.')
    }
    const check = (typed: string, now = after(1)) => checkCode(store, { ...about, now, typed })
    return { database, prisma, store, about, issue, issued, check }
  }

  it('accepts the right code once', async () => {
    const { issued, check } = await setUp()
    const code = await issued()
    expect(await check(code)).toEqual({ kind: 'right', address: 'ada@example.org' })
    expect(await check(code)).toEqual({ kind: 'spent' })
  })

  it('counts no attempt that the full queue refused', async () => {
    const { issued, check, prisma } = await setUp()
    const code = await issued()
    for (let time = 0; time < 2 * codeAttempts; time++)
      expect(await withFullQueue(() => check(wrong(code)))).toBe('refused')
    expect((await prisma.emailCode.findFirstOrThrow()).attempts).toBe(0)
    expect(await check(code)).toMatchObject({ kind: 'right' })
  })

  it('hashes a guess without a live code for recovery only, where the time would reveal it', async () => {
    const { issued, check, store, about } = await setUp()
    expect(await withFullQueue(() => check('123456'))).toBe('served')
    const code = await issued()
    for (let attempt = 0; attempt < codeAttempts; attempt++) await check(wrong(code))
    expect(await withFullQueue(() => check(code))).toBe('served')
    const recovery = { ...about, purpose: 'recover:browser', now: start, typed: '123456' } as const
    expect(await withFullQueue(() => checkCode(store, recovery))).toBe('refused')
  })

  it('accepts one of eight concurrent right guesses', async () => {
    const { issued, check } = await setUp()
    const code = await issued()
    const answers = await Promise.all(Array.from({ length: 8 }, () => check(code)))
    expect(answers.filter(({ kind }) => kind === 'right')).toHaveLength(1)
  })

  it('counts eight concurrent wrong guesses: checks five, and rejects the right code afterwards', async () => {
    const { issued, check, prisma } = await setUp()
    const code = await issued()
    const answers = await Promise.all(Array.from({ length: 8 }, () => check(wrong(code))))
    expect(answers.filter(({ kind }) => kind === 'right')).toEqual([])
    expect((await prisma.emailCode.findFirstOrThrow()).attempts).toBe(codeAttempts)
    expect(await check(code)).toEqual({ kind: 'spent' })
  })

  it('returns the number of attempts left after each wrong guess', async () => {
    const { issued, check } = await setUp()
    const code = await issued()
    const said = []
    for (let guess = 0; guess < 5; guess++) said.push(await check(wrong(code)))
    expect(said).toEqual([...[4, 3, 2, 1].map((left) => ({ kind: 'wrong', left })), { kind: 'spent' }])
  })

  it('rejects a code after ten minutes', async () => {
    const { issued, check } = await setUp()
    expect(await check(await issued(), after(600))).toEqual({ kind: 'spent' })
  })

  it('replaces the previous code, with new attempts', async () => {
    const { issued, check } = await setUp()
    const first = await issued()
    await check(wrong(first))
    const second = await issued(after(30), 'other@example.org')
    if (first !== second) expect(await check(first, after(31))).toEqual({ kind: 'wrong', left: 4 })
    expect(await check(second, after(31))).toEqual({ kind: 'right', address: 'other@example.org' })
  })

  it('issues one code of eight concurrent requests, the first time and later', async () => {
    const { issue } = await setUp()
    for (const now of [start, after(30)]) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => issue(now)))
      expect(answers.filter(({ kind }) => kind === 'issued')).toHaveLength(1)
    }
  })

  it('doubles the wait after each letter, to an hour after the fifth, for any address after the second', async () => {
    const { issue } = await setUp()
    let at = 0
    for (const delay of [30, 60, 120, 240, 3600]) {
      const to = `a${at}@example.org`
      expect((await issue(after(at), to)).kind).toBe('issued')
      at += delay
      expect(await issue(after(at - 1), delay === 30 ? to : 'another@example.org')).toEqual({
        kind: 'wait',
        seconds: 1,
      })
    }
    expect((await issue(after(at))).kind).toBe('issued')
    expect(await issue(after(at + 29))).toEqual({ kind: 'wait', seconds: 1 })
  })

  it('issues a code for another address at once after the first letter, but only then', async () => {
    const { issue } = await setUp()
    expect((await issue(start, 'slip@example.org')).kind).toBe('issued')
    expect((await issue(start, 'right@example.org')).kind).toBe('issued')
    expect(await issue(start, 'third@example.org')).toEqual({ kind: 'wait', seconds: 60 })
  })

  it('keeps the wait for the next letter after a code was used', async () => {
    const { issue, issued, check } = await setUp()
    await check(await issued())
    expect(await issue(after(29))).toEqual({ kind: 'wait', seconds: 1 })
  })

  it('keeps codes for different purposes apart', async () => {
    const { store, about, issued, check } = await setUp()
    const other = { ...about, purpose: 'recover:here' } as const
    const code = await issued()
    expect((await issueCode(store, { ...other, now: start, address: 'x@example.org', random: randomBytes })).kind).toBe(
      'issued',
    )
    expect(await check(code)).toMatchObject({ kind: 'right' })
  })

  it('stores no code in clear', async () => {
    const { prisma, issued } = await setUp()
    const code = await issued()
    expect(JSON.stringify(await prisma.emailCode.findMany())).not.toContain(code)
  })

  it('keeps rows that still count letters during a sweep', async () => {
    const { database, issued } = await setUp()
    await issued()
    const sweep = sweeps(database).find(({ table }) => table === 'EmailCode')
    expect((await sweep?.run(after(600 + 3599), 10))?.count).toBe(0)
    expect((await sweep?.run(after(600 + 3600), 10))?.count).toBe(1)
  })
})

describe('makeCode and readCode', () => {
  it('make six uniformly distributed digits', () => {
    const limit = 2 ** 32 - (2 ** 32 % 1_000_000)
    const draws = [limit, 2 ** 32 - 1, limit - 1]
    const random = () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(draws.shift() ?? 7)
      return bytes
    }
    // Rejection sampling: values that would make small codes more likely are drawn again.
    expect(makeCode(random)).toBe('999999')
    expect(makeCode(random)).toBe('000007')
  })

  it('read a pasted code in any width and grouping', () => {
    for (const typed of ['123456', ' 123 456\n', '123-456', '１２３４５６', '1 2 3 4 5 6']) {
      expect([typed, readCode(typed)]).toEqual([typed, '123456'])
    }
    for (const typed of ['', '12345', '1234567', '12345a', '+12345', '٣٤٥٦٧٨', 'x'.repeat(10_000)]) {
      expect([typed, readCode(typed)]).toEqual([typed, undefined])
    }
  })

  it('never throw for any typed text', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (typed) => /^\d{6}$/.test(readCode(typed) ?? '000000')))
  })
})
