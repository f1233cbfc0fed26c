import type { Brand, PictureName } from '#lib/brand/read-brand'

/**
 * GET /brand/FILE: a picture of the brand. An address with the picture's version stays as it is for a year. A browser that
 * opens the address itself shows the SVG in a sandbox, without scripts and without loading anything.
 */
export function answerBrandPicture({ config: { brand } }: { config: { brand: Brand } }, request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  const name = pathname.slice('/brand/'.length)
  const picture = Object.hasOwn(brand.pictures, name) ? brand.pictures[name as PictureName] : undefined
  if (!picture) return new Response('There is nothing at this address.\n', { status: 404 })
  const isVersion = searchParams.get('v') === picture.version
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
      'x-content-type-options': 'nosniff',
      'cache-control': isVersion ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  })
}
