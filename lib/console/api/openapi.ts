import { z } from 'zod'
import { scopeFor } from '#lib/console/tokens/scopes'
import { apiPath } from './api-path.ts'
import { examples, linksFrom } from './examples.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { pictureTypes } from './read-input.ts'

type Urls = { accountUrl: string; serviceName: string }

/** Returns the OpenAPI 3.1 document of the API, made from the schemas that check its requests. */
export const openApiDocument = ({ accountUrl, serviceName }: Urls) => ({
  openapi: '3.1.0',
  info: {
    title: `${serviceName} team API`,
    version: '1',
    description: 'Everything that the developer console does, with a token of a team.',
  },
  servers: [{ url: `${accountUrl}${apiPath}` }],
  security: [{ token: [] }],
  paths: Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((operation) => [operation.method.toLowerCase(), describeOperation(operation)])),
    ]),
  ),
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: { Problem: schemaOf(problem, 'output') },
  },
})

function describeOperation({ id, summary, path, query, body, picture, answer, action, ifMatch }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))
  const etag = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' }, example: '*' }
  const inHeader = ifMatch ? [etag] : []
  const parameters = [...inPath, ...inQuery, ...inHeader]
  return {
    operationId: id,
    summary,
    description: `Needs the scope \`${scopeFor(action)}\`.`,
    tags: [path.split('/')[1] ?? ''],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: inJson(body, 'input', examples[id]) } }),
    // Bytes have no schema in OpenAPI 3.1.
    ...(picture && {
      requestBody: { required: true, content: Object.fromEntries(pictureTypes.map((one) => [one, {}])) },
    }),
    responses: {
      [answer?.status ?? 204]: answer
        ? { description: 'Success', content: inJson(answer.schema, 'output'), ...linksOf(id) }
        : { description: 'Success' },
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

const inJson = (schema: z.ZodType, io: 'input' | 'output', example?: object) => ({
  'application/json': { schema: schemaOf(schema, io), ...(example && { example }) },
})

function linksOf(id: string) {
  const links = linksFrom(id, operations)
  return Object.keys(links).length > 0 ? { links } : {}
}

/** Returns a schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _,
    '~standard': __,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // The format says more than the long pattern of a time.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return rest
}

const problem = z.looseObject({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ pointer: z.string().optional(), detail: z.string() })).optional(),
})
