import { describe, expect, it } from 'vitest'
import { deriveKeys } from './derived-keys.ts'
import { openOwned, sealOwned } from './owned-seal.ts'
import { sealBytes } from './seal.ts'

const time = { ms: 1_800_000_000_000 }
const sealer = { secrets: deriveKeys(Buffer.alloc(32, 1)), now: () => new Date(time.ms) }
const ada = { purpose: 'totp-set-up', owner: 'ada' } as const

describe('a sealed value with an owner', () => {
  it('opens for its purpose and owner', async () => {
    const sealed = await sealOwned(sealer, ada, { some: 'value' })
    expect(await openOwned(sealer, ada, sealed, 60)).toEqual({ some: 'value' })
  })

  it.each([
    ['another owner', { ...ada, owner: 'bob' }],
    ['no owner', { ...ada, owner: '' }],
    ['another purpose', { ...ada, purpose: 'totp-of-person' } as const],
  ])('does not open for %s', async (_, label) => {
    expect(await openOwned(sealer, label, await sealOwned(sealer, ada, 'value'))).toBeUndefined()
  })

  it('does not open once its time is over', async () => {
    const sealed = await sealOwned(sealer, ada, 'value')
    const later = { ...sealer, now: () => new Date(time.ms + 60_000) }
    expect(await openOwned(later, ada, sealed, 60)).toBeUndefined()
    expect(await openOwned(later, ada, sealed, 61)).toBe('value')
  })

  it('does not open when it has the key but does not name the purpose', async () => {
    const content = Buffer.from(JSON.stringify({ owner: 'ada', at: time.ms, value: 'value' }))
    for (const typ of [undefined, 'totp-of-person'])
      expect(await openOwned(sealer, ada, await sealBytes(sealer.secrets.current(ada.purpose), content, typ))).toBe(
        undefined,
      )
  })

  it.each(['', 'x', 'eyJ', '....', `${'a.'.repeat(4)}a`])('does not open %j', async (text) => {
    expect(await openOwned(sealer, ada, text)).toBeUndefined()
  })
})
