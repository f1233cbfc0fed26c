import { expect, test } from './postern.ts'

test('a page answers whatever its address and headers say, and never with a fault of ours', async ({ postern }) => {
  const { accountUrl } = postern
  for (const path of ['/', '/signin?to=/account', '/signup?to=/account', '/recover', '/error', '/no-such-page'])
    for (const query of [
      'ui_locales=日本語',
      'ui_locales=%0d%0ax:y',
      `ui_locales=${'ja+'.repeat(2000)}`,
      'to=%00',
      'to=/é',
    ])
      for (const headers of [{}, { 'user-agent': '\u00ff', cookie: 'postern-flash=\u00ff; postern-session=x' }]) {
        const address = `${accountUrl}${path}${path.includes('?') ? '&' : '?'}${query}`
        const { status } = await fetch(address, { headers, redirect: 'manual' })
        expect([address, status < 500]).toEqual([address, true])
      }
})
