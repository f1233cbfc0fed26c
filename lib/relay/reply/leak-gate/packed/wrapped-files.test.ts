import { createCipheriv } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { wrappedFiles } from './wrapped-files.ts'

/** Returns incompressible bytes, the same in every run. Encryption is a fast way to make them. */
const noise = (length: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length))

describe('a run of base64', () => {
  it('is decoded to its end with little repeated work if it is a large image', () => {
    const size = 6_000_000
    let decoded = 0
    for (const { length } of wrappedFiles(`<img src="data:image/png;base64,${noise(size).toString('base64')}">`))
      decoded += length
    expect(decoded).toBeGreaterThanOrEqual(size)
    expect(decoded).toBeLessThan(size * 3)
  })

  it('is decoded from the path segment in which a stream begins', () => {
    const packed = deflateRawSync(noise(3000).toString('base64'))
    const found = [...wrappedFiles(`https://x.example/render/svg/${packed.toString('base64url')}`)]
    expect(found.some((bytes) => bytes.equals(packed))).toBe(true)
  })
})
