import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openTeams } from '#lib/testing/console/teams'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerApi } from './answer.ts'
import { operations } from './operations.ts'

// A program that knows nothing but the OpenAPI document and a token: it calls every operation with the examples and the
// links of the document, and compares each answer with the schema that the document declares.

type Schema = Record<string, unknown>
type Media = { schema?: Schema; example?: unknown }
type Link = { operationId: string; parameters: Record<string, string> }
type Declared = { content?: Record<string, Media>; links?: Record<string, Link> }
type Described = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; example?: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Declared>
}
type Document = { servers: { url: string }[]; paths: Record<string, Record<string, Described>>; components: Schema }
type Step = { method: string; path: string; described: Described }

const postern = sharePostern({ env: { TEAMS: 'open' } })
const { teamWith } = openTeams(postern)
const { makeToken } = openApi(postern)

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
let document: Document
let token = ''
/** The values of paths that answers have named, by operation and parameter. */
const known = new Map<string, string>()

beforeAll(async () => {
  const url = `${postern.context.config.accountUrl}/console/api/v1/openapi.json`
  document = (await (await answerApi(postern.context, new Request(url))).json()) as Document
  const { owner, id } = await teamWith('viewer')
  token = await makeToken(owner, id, ['read', 'apps', 'credentials', 'members', 'team'])
  // The list begins with the newest token, so the program revokes this one.
  postern.later(1)
  await makeToken(owner, id, ['read'])
})

const steps = (): Step[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  )

const at = (body: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body)

/** Sends one request, checks the answer against the document, and remembers the values that its links name. */
async function call({ method, path, described }: Step, changes: { headers?: object; body?: string } = {}) {
  const { operationId: id, parameters = [], requestBody, responses } = described
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known.get(`${id} ${name}`) ?? 'unknown'))
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {})
  const content = changes.body ?? (media && 'example' in media ? JSON.stringify(media.example) : '')
  const ofHeaders = parameters.filter((one) => one.in === 'header').map(({ name, example = '' }) => [name, example])
  const headers = {
    authorization: `Bearer ${token}`,
    ...Object.fromEntries(ofHeaders),
    ...(type && { 'content-type': type }),
  }
  const sent = { method, headers: { ...headers, ...changes.headers }, ...(requestBody && { body: content }) }
  const answer = await answerApi(postern.context, new Request(document.servers[0]?.url + filled, sent))
  const text = await answer.text()
  const declared = responses[answer.status] ?? responses.default
  const [[expected, { schema = {} }] = ['', {}]] = Object.entries(declared?.content ?? {})
  expect([id, answer.headers.get('content-type') ?? '']).toEqual([id, expected])
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (expected !== '') {
    const isValid = ajv.compile({ ...schema, components: document.components })
    expect([id, isValid(body), isValid.errors]).toEqual([id, true, null])
  }
  for (const link of Object.values(declared?.links ?? {}))
    for (const [name, place] of Object.entries(link.parameters)) {
      const value = at(body, place.replace('$response.body#', ''))
      if (typeof value === 'string') known.set(`${link.operationId} ${name}`, value)
    }
  return answer.status
}

/** Additions before changes, changes before removals; a removal of a whole app last. */
const order = ({ method, path, described }: Step) =>
  (({ DELETE: 80, PATCH: 40, GET: 30 })[method] ?? 0) +
  (path.match(/\{/g)?.length ?? 0) * 5 +
  (/^(pause|replay|verify|resume|check|disable|enable|keep)/.test(described.operationId) ? 20 : 0) +
  (described.operationId === 'deleteApp' ? 30 : 0) +
  (described.operationId === 'keepApp' ? 100 : 0)

/** What a new team with one app cannot do, with the status of the problem. */
const refused: Record<string, number> = {
  // A member cannot be changed or removed if only one is there: the owner.
  changeMember: 409,
  removeMember: 409,
  // An app with a secret has no key but those that its profile permits.
  addKeys: 422,
  removeKey: 404,
  setKeyAddress: 422,
  setLogo: 422,
  // There is no offer, and the app came from no team.
  getOffer: 404,
  withdrawOffer: 404,
  declineOffer: 404,
  listMovedSubjects: 404,
  // DNS has no record of these domains, and there is no event to send again.
  checkDomain: 409,
  checkMailDomain: 409,
  replayEvents: 409,
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, as an independent validator says', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect([valid, errors]).toEqual([true, undefined])
    expect(validator.version).toBe('3.1')
  })

  it('has an example for each body, and a source for each value of a path', () => {
    const linked = new Set(
      steps().flatMap(({ described }) =>
        Object.values(described.responses).flatMap(({ links = {} }) =>
          Object.values(links).flatMap((link) =>
            Object.keys(link.parameters).map((name) => `${link.operationId} ${name}`),
          ),
        ),
      ),
    )
    for (const { path, described } of steps()) {
      const json = described.requestBody?.content['application/json']
      if (json) expect([described.operationId, json.example]).toEqual([described.operationId, expect.any(Object)])
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(linked).toContain(`${described.operationId} ${name}`)
    }
  })

  it('is enough to call every operation; each answer has the declared schema', async () => {
    const statuses = new Map<string, number>()
    for (const step of steps().toSorted((one, other) => order(one) - order(other)))
      statuses.set(step.described.operationId, await call(step))
    const others = [...statuses].filter(([id, status]) =>
      refused[id] === undefined ? status >= 300 : status !== refused[id],
    )
    expect(others).toEqual([])
    expect([...statuses.keys()].sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  it('declares the problems of bad requests', async () => {
    for (const step of steps()) {
      // Each request has a minute of its own, so that the limits do not end the test.
      postern.later(5)
      expect(await call(step, { headers: { authorization: 'Bearer wrong' } })).toBe(401)
      if (!step.described.requestBody?.content['application/json']) continue
      expect([400, 404, 422]).toContain(await call(step, { body: '{' }))
      expect([404, 422]).toContain(await call(step, { body: '{"no_such_field":1}' }))
      expect(await call(step, { headers: { 'content-type': 'text/xml' } })).toBe(415)
    }
  })
})
