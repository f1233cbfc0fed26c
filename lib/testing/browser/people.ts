import { createHmac } from 'node:crypto'
import type { Context } from '#lib/server/compose/context'
import { findTotpSecret, sealStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import { answerPasskeyOptions } from '#lib/sign-in/passkey-options'
import type { Browser } from './browser.ts'

/** Requests a passkey's options as the page's script does. */
export async function askOptions(context: Context, browser: Browser, fields: Record<string, string>) {
  const { accountUrl } = context.config
  const answer = await answerPasskeyOptions(
    context,
    new Request(`${accountUrl}/passkey/options`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie: browser.cookies(),
        'x-postern-client': '192.0.2.1',
      },
      body: new URLSearchParams(fields).toString(),
    }),
  )
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    browser.jar.set(name, value)
  }
  return { status: answer.status, ...(await answer.json()) }
}

/** Turns on an authenticator app for a person. Returns a function that computes its codes. */
export async function giveTotp(context: Context, personId: string) {
  const secret = context.random(20)
  const now = context.now()
  await context.factors.addTotp(personId, {
    sealedSecret: sealStoredTotp(context, personId, secret),
    lastStep: 0,
    now,
  })
  return async (at = context.now()) => showCode((await findTotpSecret(context, personId)) ?? secret, at)
}

/** An independent implementation of an authenticator app. */
function showCode(secret: Buffer, at: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const start = (mac[19] as number) & 15
  return String((mac.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
