type Claims = Record<string, unknown>

const most = 10_000

/**
 * Caches tokens whose signature was verified, so that it is not verified again. The caller checks expiry and
 * revocation on every use.
 */
export function rememberVerified() {
  const known = new Map<string, Verified & { type: string }>()
  return {
    find(type: string, token: string): Verified | undefined {
      const found = known.get(token)
      return found?.type === type ? found : undefined
    },
    keep(type: string, token: string, { kid, claims }: Verified) {
      if (known.size >= most) known.delete(known.keys().next().value as string)
      // A copy: the token may be a slice of a form, which would stay in memory as long as the slice.
      known.set(Buffer.from(token).toString(), { type, kid, claims: Object.freeze(claims) })
    },
  }
}

/** `kid` names the key: a token is invalid once its key is no longer published. */
type Verified = { kid: string; claims: Claims }
