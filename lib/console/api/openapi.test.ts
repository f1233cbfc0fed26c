import { expect, it } from 'vitest'
import { actions } from '#lib/console/roles'
import { scopeFor } from '#lib/console/tokens/scopes'
import { openApi } from '#lib/testing/console/api'
import { sharePostern } from '#lib/testing/process/share-postern'
import { operations } from './operations.ts'

const postern = sharePostern({ env: { TEAMS: 'open' } })
const { send } = openApi(postern)

it('serves the document without a token', async () => {
  const { status, json } = await send('', 'GET', '/openapi.json')
  expect(status).toBe(200)
  expect(json).toMatchObject({ openapi: '3.1.0', paths: { '/apps': { get: {}, post: {} } } })
})

it('describes the fields of a request with the rules that check it', async () => {
  const { json } = await send('', 'GET', '/openapi.json')
  const { paths } = json as unknown as { paths: Record<string, Record<string, { requestBody?: object }>> }
  expect(paths['/apps']?.post).toMatchObject({
    operationId: 'registerApp',
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            required: expect.arrayContaining(['name', 'kind', 'redirect_uris']),
            properties: { kind: { enum: ['confidential', 'public', 'assertion'] } },
          },
        },
      },
    },
  })
  expect(JSON.stringify(paths['/apps/{app}']?.patch?.requestBody)).not.toContain('"default"')
})

it('gives each operation a name of its own', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
})

it('offers an operation for every action that a token may do', () => {
  const offered = operations.map(({ action }) => action)
  expect(actions.filter((action) => scopeFor(action) !== null && !offered.includes(action))).toEqual([])
})
