/** The process is alive and answers. */
export const GET = () =>
  new Response('ok\n', { headers: { 'cache-control': 'no-store', 'content-type': 'text/plain' } })
