import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'

/**
 * Adds a virtual device with a screen lock that approves every request, including an autofill request in the username
 * field. Without `autofill`, the browser reports that it offers no autofill, so that the test can press buttons.
 * Returns a function that removes the device.
 */
export async function addAuthenticator(page: Page, { autofill = false } = {}): Promise<() => Promise<void>> {
  await page.addInitScript((available) => {
    if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => available
  }, autofill)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return async () => {
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await cdp.detach()
  }
}

/** Returns an authenticator app for the key that the page shows. */
export async function readApp(page: Page): Promise<(stepsAhead: number) => string> {
  const key = ((await page.locator('#totp-key').textContent()) ?? '').replace(/\s/g, '')
  const bits = [...key]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return (stepsAhead) => {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead))
    const mac = createHmac('sha1', secret).update(counter).digest()
    return String((mac.readUInt32BE((mac[19] as number) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }
}
