import { type AppKind, appKinds } from '#lib/apps/app-fields'
import { checkRedirectUris } from '#lib/apps/redirect-uri-rules'
import { chooseLanguage, type Offered, ruleIn } from '#lib/brand/brand-texts'
import type { Brand } from '#lib/brand/read-brand'
import type { ConsoleContext } from '#lib/console/context'
import { besideFields, linesOf } from './declare-app.ts'

type Evaluable = { config: Pick<ConsoleContext['config'], 'evaluation'> & Offered & { brand: Pick<Brand, 'rules'> } }

/**
 * GET /console/app/check-uris?kind=&locale=&uris=: returns to the page's script why the redirect URIs that are being typed
 * cannot be registered, by line. The answer depends on nothing but the question, so it needs no session.
 */
export function answerUriCheck({ config }: Evaluable, request: Request): Response {
  const { searchParams } = new URL(request.url)
  const language = chooseLanguage(config, searchParams.get('locale'))
  const kind: AppKind = appKinds.find((one) => one === searchParams.get('kind')) ?? 'confidential'
  const uris = linesOf((searchParams.get('uris') ?? '').slice(0, 8000))
  const problems: { path: string; message: string }[] = []
  checkRedirectUris(uris, 'redirect_uris', { kind, issuerIsLoopback: config.evaluation }, (path, message) =>
    problems.push({ path, message }),
  )
  const lines = besideFields(problems).map(({ line, text }) => ({ line, rule: ruleIn(config.brand, language, text) }))
  return Response.json({ uris: uris.length, problems: lines }, { headers: { 'cache-control': 'no-store' } })
}
