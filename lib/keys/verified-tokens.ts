type Claims = Record<string, unknown>

const most = 10_000

/**
 * Remembers tokens whose signature was right: it stays right, so a token that is used again need not be verified again.
 * Whether it is expired or revoked is asked every time, elsewhere.
 */
export function rememberVerified() {
  const known = new Map<string, Claims>()
  return {
    find: (type: string, token: string): Claims | undefined => known.get(`${type} ${token}`),
    keep(type: string, token: string, claims: Claims) {
      if (known.size >= most) known.delete(known.keys().next().value as string)
      known.set(`${type} ${token}`, Object.freeze(claims))
    },
  }
}
