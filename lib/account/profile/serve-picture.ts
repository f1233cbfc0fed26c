/** The storage of avatars and logos. */
export type PictureStore = {
  find(file: string): Promise<{ mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined>
}

/** GET /avatars/{file}: returns a picture by its random name, without authentication. */
export async function answerPicture({ pictures }: { pictures: PictureStore }, request: Request): Promise<Response> {
  const file = new URL(request.url).pathname.slice('/avatars/'.length)
  const picture = /^[A-Za-z0-9_-]{16,64}\.(png|jpg|webp)$/.test(file) ? await pictures.find(file) : undefined
  if (!picture)
    return new Response('There is no such picture.\n', { status: 404, headers: { 'cache-control': 'no-store' } })
  return new Response(picture.bytes, {
    headers: {
      'content-type': picture.mediaType,
      // A new picture has a new name; the short lifetime makes caches forget a removed one.
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    },
  })
}
