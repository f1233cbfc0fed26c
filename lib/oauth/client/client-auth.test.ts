import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { answerToken } from '#lib/oauth/token/endpoint'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basic, basicAuth, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: { teams: acme.teams } })

type Headers = Record<string, string>

/** A new address for each request, so that failures of one test do not limit another. */
const from = () => ({ 'x-postern-client': randomUUID() })

/** Revokes an unknown token. The answer is 200 only if the app is authenticated. */
const ask = (headers: Headers = {}, form: Record<string, string> = {}) =>
  postern.revoke({ token: 'x', ...form }, { ...from(), ...headers })

const raw = (credentials: string | Buffer) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

/** Adds a confidential app with these secrets; the id may have any characters. */
async function addApp(id: string, secrets: { text: string; expiresAt?: Date }[]) {
  const { prisma } = postern.context.database
  const { id: _, ...like } = await prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' } })
  await prisma.app.create({ data: { ...like, id } })
  const now = postern.clock.now
  await prisma.appSecret.createMany({
    data: secrets.map(({ text, expiresAt }) => ({
      id: randomUUID(),
      appId: id,
      hash: sha256(text),
      createdAt: now,
      expiresAt: expiresAt ?? null,
    })),
  })
}

describe('HTTP Basic', () => {
  it('records an unreadable form in the recent failures of the named app', async () => {
    const request = (headers: Headers) =>
      answerToken(
        postern.context.oauth,
        new Request('http://localhost:3000/oauth2/token', {
          method: 'POST',
          headers: { ...from(), 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: 'grant_type=%FF',
        }),
      )
    for (const headers of [basic, { authorization: 'Basic !' }, raw('nobody:x')])
      expect(await refusal(request(headers))).toBe('400 invalid_request')
    const reason = 'The parameters are not valid application/x-www-form-urlencoded.'
    await expect
      .poll(() => postern.failures('acme-web'))
      .toContainEqual(expect.objectContaining({ endpoint: 'token', code: 'invalid_request', reason, count: 1 }))
  })

  it('accepts the right secret, with the scheme in any case', async () => {
    expect((await ask(basic)).status).toBe(200)
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      expect((await ask({ authorization: (basic.authorization as string).replace('Basic', scheme) })).status).toBe(200)
    }
  })

  it.each(['plus+sign', 'per%cent', 'col:on', 'a space', 'ünïcödé-€-😀', '%2B', 'a&b=c', '"quoted"'])(
    'carries the id and secret %s through form encoding',
    async (text) => {
      const id = `id ${text}`
      await addApp(id, [{ text }])
      expect((await ask(basicAuth(id, text))).status).toBe(200)
      expect(await refusal(ask(basicAuth(id, `${text}x`)))).toBe('401 invalid_client')
    },
  )

  it('decodes both parts: a plus is a space, an escape its character; a colon in the secret stays', async () => {
    await addApp('spelling', [{ text: 'a b+c:d%e' }])
    for (const spelled of ['a+b%2Bc%3Ad%25e', 'a%20b%2bc:d%25e', '%61+%62%2B%63%3A%64%25%65']) {
      expect((await ask(raw(`spelling:${spelled}`))).status).toBe(200)
    }
    for (const spelled of ['a b+c:d%25e', 'a+b+c:d%25e', 'a%2Bb%2Bc:d%25e']) {
      expect(await refusal(ask(raw(`spelling:${spelled}`)))).toBe('401 invalid_client')
    }
  })

  it('decodes once: a secret that looks encoded is not decoded again', async () => {
    await addApp('twice', [{ text: 'a%2520b' }])
    expect((await ask(raw('twice:a%252520b'))).status).toBe(200)
    expect(await refusal(ask(raw('twice:a%2520b')))).toBe('401 invalid_client')
  })

  it.each<[string, string]>([
    ['a wrong secret', raw('acme-web:wrong').authorization],
    ['an empty secret', raw('acme-web:').authorization],
    ['an unknown app', raw('nobody:secret').authorization],
    ['an empty id', raw(':secret').authorization],
    ['no colon', raw('acme-web').authorization],
    ['no credentials', 'Basic'],
    ['characters that are not base64', 'Basic acme-web:secret'],
    ['base64url characters', 'Basic YWNtZS13ZWI_-w=='],
    ['broken escapes', raw('acme-web:%zz').authorization],
    ['bytes that are not UTF-8', raw(Buffer.from([0x61, 0x3a, 0xff, 0xfe])).authorization],
    ['escaped bytes that are not UTF-8', raw('acme-web:%ff').authorization],
    ['NUL', raw('acme-web:%00').authorization],
    ['a secret that was not encoded', raw(`acme-web:${secret}`).authorization],
  ])('rejects %s with 401 invalid_client and the scheme', async (_, authorization) => {
    const answer = await ask({ authorization })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/)
    expect(await answer.json()).toEqual({
      error: 'invalid_client',
      error_description:
        'Client authentication failed. Check the client_id, the credentials and the authentication method.',
    })
  })

  it('accepts an equal client_id in the form, and rejects another one', async () => {
    expect((await ask(basic, { client_id: 'acme-web' })).status).toBe(200)
    expect((await ask(basic, { client_id: '' })).status).toBe(200)
    expect(await refusal(ask(basic, { client_id: 'acme-mail' }))).toBe('401 invalid_client')
  })

  it('rejects a disabled app', async () => {
    await addApp('disabled-app', [{ text: 'a right secret' }])
    await postern.context.database.prisma.app.update({
      where: { id: 'disabled-app' },
      data: { disabledAt: new Date() },
    })
    expect(await refusal(ask(basicAuth('disabled-app', 'a right secret')))).toBe('401 invalid_client')
  })
})

describe('secrets', () => {
  it('are both accepted while two are live, so that they rotate without downtime', async () => {
    await addApp('two', [{ text: 'the old secret' }, { text: 'the new secret' }])
    for (const text of ['the old secret', 'the new secret']) {
      expect((await ask(basicAuth('two', text))).status).toBe(200)
    }
  })

  it('are rejected from their expiry on, while the other one is accepted', async () => {
    const expiresAt = new Date(postern.clock.now.getTime() + 60_000)
    await addApp('expiring', [{ text: 'the old secret', expiresAt }, { text: 'the new secret' }])
    postern.later(59)
    expect((await ask(basicAuth('expiring', 'the old secret'))).status).toBe(200)
    postern.later(1)
    expect(await refusal(ask(basicAuth('expiring', 'the old secret')))).toBe('401 invalid_client')
    expect((await ask(basicAuth('expiring', 'the new secret'))).status).toBe(200)
  })

  it('are required: an app without any is rejected', async () => {
    await addApp('none', [])
    expect(await refusal(ask(basicAuth('none', '')))).toBe('401 invalid_client')
  })
})

describe('the registered method', () => {
  it('authenticates a public app by its client_id in the form', async () => {
    expect((await ask({}, { client_id: 'acme-spa' })).status).toBe(200)
  })

  it.each<[string, Headers, Record<string, string>]>([
    ['a public app with a secret in the form', {}, { client_id: 'acme-spa', client_secret: secret }],
    ['a public app over Basic', basicAuth('acme-spa', secret), {}],
    ['a public app over Basic with an empty secret', basicAuth('acme-spa', ''), {}],
    ['a confidential app with its secret in the form', {}, { client_id: 'acme-web', client_secret: secret }],
    ['a confidential app without its secret', {}, { client_id: 'acme-web' }],
    ['an unknown app', {}, { client_id: 'nobody' }],
    ['no app at all', {}, {}],
    ['a secret and no app', {}, { client_secret: secret }],
    ['a Bearer token', { authorization: 'Bearer abc' }, { client_id: 'acme-spa' }],
  ])('rejects %s with 401 invalid_client, and names Basic only if the request used it', async (_, headers, form) => {
    const answer = await ask(headers, form)
    const tried = headers.authorization?.startsWith('Basic') === true
    expect(answer.headers.has('www-authenticate')).toBe(tried)
    expect(await refusal(Promise.resolve(answer))).toBe('401 invalid_client')
  })

  const assertion = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
  it.each<[string, Headers, Record<string, string>]>([
    ['Basic and a secret in the form', basic, { client_id: 'acme-web', client_secret: secret }],
    ['Basic and an assertion', basic, { ...assertion, client_assertion: 'a.b.c' }],
    ['Basic and an assertion type', basic, assertion],
    ['a secret and an assertion', {}, { client_secret: secret, ...assertion, client_assertion: 'a.b.c' }],
  ])('rejects %s in one request with 400 invalid_request', async (_, headers, form) => {
    expect(await refusal(ask(headers, form))).toBe('400 invalid_request')
  })

  it('rejects a repeated credential with 400 invalid_request', async () => {
    const twice = (name: string) => postern.revoke(`token=x&${name}=acme-spa&${name}=acme-spa`, from())
    for (const name of ['client_id', 'client_secret', 'client_assertion']) {
      expect(await refusal(twice(name))).toBe('400 invalid_request')
    }
  })
})

describe('any input', () => {
  const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })

  it('accepts any printable secret in any encoding, and no other secret', async () => {
    const spell = (text: string, escapes: boolean[]) =>
      [...text]
        .map((char, at) =>
          escapes[at % escapes.length] || /[+%]/.test(char)
            ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
            : char.replace(' ', '+'),
        )
        .join('')
    const escapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(printable, printable, escapes, async (right, other, escaped) => {
        const id = randomUUID()
        await addApp(id, [{ text: right }])
        expect((await ask(basicAuth(id, right))).status).toBe(200)
        expect((await ask(raw(`${id}:${spell(right, escaped)}`))).status).toBe(200)
        expect((await ask(basicAuth(id, other))).status).toBe(other === right ? 200 : 401)
      }),
      { numRuns: 60 },
    )
  })

  it('rejects a junk header without an internal error', async () => {
    const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
    const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => raw(Buffer.from(all)).authorization)
    const header = fc.oneof(
      latin,
      latin.map((text) => `Basic ${text}`),
      bytes,
    )
    await fc.assert(
      fc.asyncProperty(header, async (authorization) => {
        expect((await ask({ authorization })).status).toBe(401)
      }),
      { numRuns: 300 },
    )
  })
})
