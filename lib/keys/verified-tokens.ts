type Claims = Record<string, unknown>

/** A token has about 700 characters, and at most 8,192. */
const most = { tokens: 10_000, characters: 10_000_000 }

/**
 * Caches tokens whose signature was verified, so that it is not verified again. The caller checks expiry and
 * revocation on every use.
 */
export function rememberVerified() {
  const known = new Map<string, Verified & { type: string }>()
  let characters = 0
  return {
    find(type: string, token: string): Verified | undefined {
      const found = known.get(token)
      return found?.type === type ? found : undefined
    },
    keep(type: string, token: string, { kid, claims }: Verified) {
      if (!known.has(token)) characters += token.length
      // A copy: the token may be a slice of a form, which would stay in memory as long as the slice.
      known.set(Buffer.from(token).toString(), { type, kid, claims: Object.freeze(claims) })
      for (const oldest of known.keys()) {
        if (known.size <= most.tokens && characters <= most.characters) break
        known.delete(oldest)
        characters -= oldest.length
      }
    },
  }
}

/** `kid` names the key: a token is invalid once its key is no longer published. */
type Verified = { kid: string; claims: Claims }
