import { getContext } from '#lib/server/compose/process-context'

/** Returns whether the process can serve: database migrated and reachable, keys open, not shutting down. */
export const GET = async () => {
  const reason = await (await getContext()).unready()
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain' }
  return new Response(`${reason ?? 'ready'}\n`, { status: reason ? 503 : 200, headers })
}
