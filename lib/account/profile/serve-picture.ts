import type { Context } from '#lib/server/compose/context'

/** GET /avatars/{file}: a picture under its random name, until it is replaced; needs no authentication. */
export async function answerPicture({ pictures }: Pick<Context, 'pictures'>, request: Request): Promise<Response> {
  const file = new URL(request.url).pathname.slice('/avatars/'.length)
  const picture = /^[A-Za-z0-9_-]{16,64}\.(png|jpg|webp)$/.test(file) ? await pictures.find(file) : undefined
  if (!picture)
    return new Response('There is no such picture.\n', { status: 404, headers: { 'cache-control': 'no-store' } })
  return new Response(picture.bytes, {
    headers: {
      'content-type': picture.mediaType,
      // The name changes with the picture; a short life lets a withdrawn one disappear.
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    },
  })
}
