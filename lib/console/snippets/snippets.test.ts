import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apacheLiteral, characterLiteral, rustLiteral, shellLiteral, unitLiteral } from './literal.ts'
import type { SnippetApp } from './snippet.ts'
import { snippetApp, snippetsFor } from './snippets.ts'

const declaration = {
  redirect_uris: ['https://app.example/callback'],
  scopes: ['openid', 'name', 'email'],
  email: 'optional',
}
const site = { issuer: 'https://id.example', serviceName: 'Postern' }
const key = { kid: 'k1', jwk: '{"kty":"EC"}', createdAt: new Date(0), lastUsedAt: null }

/** Returns the values of an app of this kind and profile. */
function valuesOf(kind: string, profile: string, changes: Record<string, unknown> = {}): SnippetApp {
  const listed = { id: 'app-1', name: 'App', kind, profile, logoFile: null, createdAt: new Date(0) }
  const state = { disabledAt: null, disabledBy: null, removeAfter: null, teamId: 'acme', version: '1', secrets: [] }
  const scopes = { scopes: declaration.scopes, waitingScopes: [] }
  const keys = kind === 'assertion' ? [key] : []
  return snippetApp({ ...listed, ...state, ...scopes, keys, declaration: { ...declaration, ...changes } }, site)
}
const ids = (app: SnippetApp) => snippetsFor(app).map(({ id }) => id)
const codeOf = (app: SnippetApp, id: string) => snippetsFor(app).find((snippet) => snippet.id === id)?.code ?? ''

describe('the libraries for an app', () => {
  it('are those that can do what kind and profile require', () => {
    const servers = [
      'openid-client',
      'auth-js',
      'oauth4webapi',
      'openid-client-5',
      'authlib',
      'requests-oauthlib',
      'pyoidc',
    ]
    const others = ['spring-security', 'go-oidc', 'openidconnect', 'oauth2-proxy', 'mod-auth-openidc']
    expect(ids(valuesOf('confidential', 'standard'))).toEqual([...servers, ...others])
    // Passport has no PKCE, and ASP.NET Core sends the secret in the form.
    expect(ids(valuesOf('confidential', 'oidc'))).toEqual(expect.arrayContaining(['passport', 'aspnet-core']))
    expect(ids(valuesOf('public', 'standard'))[0]).toBe('oidc-client-ts')
    expect(ids(valuesOf('assertion', 'fapi2'))).toEqual(['openid-client'])
    expect(ids(valuesOf('confidential', 'oidc', { dpop_bound_access_tokens: true }))).not.toContain('oauth4webapi')
    expect(ids(valuesOf('confidential', 'oidc', { require_signed_request_object: true }))).toEqual([])
  })

  it('follow the registered method of authentication', () => {
    const post = valuesOf('confidential', 'oidc', { token_endpoint_auth_method: 'client_secret_post' })
    expect(codeOf(post, 'openid-client')).toContain('ClientSecretPost')
    expect(ids(post)).not.toContain('oauth2-proxy')
    const basic = valuesOf('confidential', 'oidc', { token_endpoint_auth_method: 'client_secret_basic' })
    expect(ids(basic)).not.toContain('passport')
  })

  it('name the redirect URI that a library needs', () => {
    const of = (changes: object) =>
      snippetsFor(valuesOf('confidential', 'oidc', changes as Record<string, unknown>)).find(
        ({ id }) => id === 'auth-js',
      )?.redirectUri
    expect(of({})).toBe('https://app.example/auth/callback/postern')
    const known = 'https://other.example/auth/callback/postern'
    expect(of({ redirect_uris: ['https://app.example/callback', known] })).toBe(known)
  })

  it('have the versions that docs/clients.md names', () => {
    const docs = readFileSync('docs/clients.md', 'utf8')
    const packages = JSON.parse(readFileSync('clients/node/package.json', 'utf8')).dependencies
    const all = [valuesOf('confidential', 'oidc'), valuesOf('public', 'oidc')].flatMap(snippetsFor)
    expect(all.length).toBeGreaterThan(15)
    for (const { install, version } of all) {
      for (const number of version?.match(/[\d.]+\d/g) ?? []) expect(docs).toContain(number)
      const [, name, pinned] = /^npm install (\S+)@([\d.]+)/.exec(install ?? '') ?? []
      if (name && name !== 'openid-client') expect(packages[name]).toBe(pinned)
    }
    expect(packages['openid-client']).toBe('6.8.9')
    expect(packages['openid-client-5']).toBe('npm:openid-client@5.7.1')
  })

  it('never hold a secret', () => {
    for (const { code } of [valuesOf('confidential', 'oidc'), valuesOf('assertion', 'oidc')].flatMap(snippetsFor))
      expect(code).toMatch(/CLIENT_SECRET|PRIVATE_KEY_FILE/)
  })
})

const hostile = [
  `'"\`\\\${process.exit(1)}#{exit}$(id)//*/ -->`,
  'a\nb\r\tc\u2028\u0000',
  '</script><!--',
  'é💥{{}}%s',
  `";exit()#`,
]

describe('a hostile value', () => {
  const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8' }).stdout

  it.each(hostile)('stays one JavaScript literal: %j', (text) => {
    // JSON.parse reads these literals as JavaScript does: they hold nothing but plain characters and \uXXXX.
    expect(unitLiteral(text)).toMatch(/^"(?:[A-Za-z0-9 \-._~:/?=&@+,;%()*[\]]|\\u[0-9a-f]{4})*"$/)
    expect(JSON.parse(unitLiteral(text))).toBe(text)
  })

  it.each(hostile)('stays one Python literal: %j', (text) => {
    const program = `import json; print(json.dumps(${characterLiteral(text)}))`
    expect(JSON.parse(run('python3', ['-c', program]))).toBe(text)
  })

  it.each(hostile.map((text) => text.replaceAll('\0', '')))('stays one shell literal: %j', (text) => {
    expect(run('sh', ['-c', `printf %s ${shellLiteral(text)}`])).toBe(text)
  })

  it('stays one literal of Rust and of Apache', () => {
    expect(rustLiteral('"\n💥')).toBe(String.raw`"\u{22}\u{a}\u{1f4a5}"`)
    expect(apacheLiteral('"\n\\')).toBe(String.raw`"\" \\"`)
  })

  it('does not leave its place in a program', () => {
    const uri = "https://app.example/call'back;(x)?a=$b&c=`d`"
    const app = { ...valuesOf('confidential', 'oidc', { redirect_uris: [uri] }), serviceName: hostile.join('') }
    for (const { file, code } of snippetsFor(app)) {
      if (!file.endsWith('.mjs')) continue
      const checked = spawnSync(process.execPath, ['--input-type=module', '--check'], { input: code, encoding: 'utf8' })
      expect(checked.stderr, file).toBe('')
      expect(code).not.toContain('${process')
    }
  })
})
