import { getContext } from '#lib/context'

/** The process can serve: database reachable, migrations applied, not shutting down. */
export const GET = async () => {
  const reason = await (await getContext()).unready()
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain' }
  return new Response(`${reason ?? 'ready'}\n`, { status: reason ? 503 : 200, headers })
}
