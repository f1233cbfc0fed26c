type Claims = Record<string, unknown>

const most = 10_000

/**
 * Remembers tokens whose signature was right: it stays right, so a token that is used again need not be verified again.
 * Whether it is expired or revoked is asked every time, elsewhere.
 */
export function rememberVerified() {
  const known = new Map<string, Verified>()
  return {
    find: (type: string, token: string): Verified | undefined => known.get(`${type} ${token}`),
    keep(type: string, token: string, { kid, claims }: Verified) {
      if (known.size >= most) known.delete(known.keys().next().value as string)
      known.set(`${type} ${token}`, { kid, claims: Object.freeze(claims) })
    },
  }
}

/** The key is named, because a token ends with the key that signed it. */
type Verified = { kid: string; claims: Claims }
