import { getContext } from '#lib/server/compose/context'

/** The process can serve: database reachable, keys open, not shutting down; it starts with all migrations applied or not at all. */
export const GET = async () => {
  const reason = await (await getContext()).unready()
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain' }
  return new Response(`${reason ?? 'ready'}\n`, { status: reason ? 503 : 200, headers })
}
