import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openOperators } from '#lib/testing/admin/operators'
import { openApps, webApp } from '#lib/testing/console/apps'
import type { Postern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

/** The handlers of the forms of the console and of the operators, with their modules. */
const handlers = ['console', 'admin'].flatMap((part) =>
  globSync(`app/**/${part}/**/route.ts`).flatMap((file) => {
    const found = /import \{ (answer\w+) \} from '(#lib\/[^']+)'/.exec(readFileSync(file, 'utf8'))
    return found ? [{ name: found[1] as string, module: found[2] as string }] : []
  }),
)
/** Handlers that take no plain form. */
const others = ['answerApi', 'answerLogoUpload', 'answerTrialCallback', 'answerUriCheck']
const forms = handlers.filter(({ name }) => !others.includes(name))

const fields =
  `act address authorization auth_method confirm count days decision domain email header homepage id identifier
  invitation jwks jwks_uri key kid kind member name name#ja note of offer person policy_uri profile purpose reason receiver
  redirect_uris role scope scopes secret sensitive_scopes shown signing_alg state to to_own token user username version`
    .trim()
    .split(/\s+/)

/** Values that have broken a parser, a date, a database or a page elsewhere. */
const values = [
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '__proto__',
  '{"__proto__":{"x":1}}',
  "' OR 1=1 --",
  '\u202e\u2066<script>alert(1)</script>\u{1f600}',
  '\ud800',
  `${'x'.repeat(1500)}`,
]

/** Returns functions that make people, and post the fields of a form. */
function openForms(postern: Postern) {
  const { newOperator } = openOperators(postern)
  const { member, register } = openApps(postern)
  return {
    /** Makes an operator who owns the team acme, and an app of that team with a scope that waits. */
    async openAll() {
      const operator = await newOperator()
      const row = { teamId: 'acme', personId: operator.personId, role: 'owner', createdAt: postern.context.now() }
      await postern.context.database.prisma.member.create({ data: row })
      const { id } = await register(await member('owner'), { ...webApp, scopes: ['gender'] })
      return { operator, id }
    },
    handlerOf: async ({ name, module }: (typeof forms)[number]) => (await import(module))[name],
    /** Returns a form in which every field has the value; what the form is about exists. */
    bodyOf(id: string, value: string) {
      const body = new URLSearchParams(fields.map((field) => [field, value]))
      const about = { team: 'acme', app: id, id, of: 'app', scope: 'gender', decision: 'refuse' }
      for (const [name, known] of Object.entries(about)) body.set(name, known)
      return body
    },
  }
}

const env = { TEAMS: 'open', SENSITIVE_SCOPES: 'review' }

describe('the forms of the console and of the operators', () => {
  // PostgreSQL refuses more values than SQLite.
  const postern = sharePostern({ kind: 'postgresql', env })
  const { openAll, handlerOf, bodyOf } = openForms(postern)

  it.each(forms)('take hostile values in every field of $name', async (form) => {
    const { operator, id } = await openAll()
    const handler = await handlerOf(form)
    for (const value of values) {
      const body = bodyOf(id, value)
      body.set('person', operator.personId)
      const { status } = await operator.post(handler, body)
      expect([value.slice(0, 40), status < 500]).toEqual([value.slice(0, 40), true])
    }
  })
})

describe('the forms of the console and of the operators with a forged session', () => {
  const postern = sharePostern({ env })
  const { openAll, handlerOf, bodyOf } = openForms(postern)
  let opened: ReturnType<typeof openAll> | undefined

  it.each(forms)('do nothing in $name', async (form) => {
    opened ??= openAll()
    const { operator, id } = await opened
    const { prisma } = postern.context.database
    const counts = async () => [
      await prisma.teamAct.count(),
      await prisma.operatorAct.count(),
      await prisma.invitation.count(),
    ]
    const before = await counts()
    const [name = '', sealed = ''] = operator.cookie.split('=')
    const at = Math.floor(sealed.length / 2)
    const swapped = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    const cut = sealed.slice(0, -4)
    const handler = await handlerOf(form)
    for (const cookie of ['', name, ...['', swapped, cut, 'A'.repeat(4000)].map((text) => `${name}=${text}`)]) {
      const answer = await operator.post(handler, bodyOf(id, 'x'), { cookie })
      const to = expect.stringMatching(/^\/signin\?|\/error\?e=/)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, to])
    }
    expect(await counts()).toEqual(before)
  })
})
