/** Returns 200 while the process runs. */
export const GET = () =>
  new Response('ok\n', { headers: { 'cache-control': 'no-store', 'content-type': 'text/plain' } })
