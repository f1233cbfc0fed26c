import { headers } from 'next/headers'

/** A script of one page; the front door keeps it and removes the framework's scripts (design §3). */
export async function OwnScript({
  src,
}: {
  src:
    | '/code.js'
    | '/inbox.js'
    | '/make-key.js'
    | '/passkey.js'
    | '/password-strength.js'
    | '/redirect-uris.js'
    | '/sign-up.js'
}) {
  return <script data-keep src={src} nonce={(await headers()).get('x-nonce') ?? undefined} defer />
}
