/**
 * Lists the URL of each server that DATABASE_URL names, as libpq reads it: `postgresql://user@one:5432,two:5433/name`
 * (PostgreSQL manual §34.1.1.3, "Specifying Multiple Hosts").
 */
export function serverUrls(url: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url)
  if (!parts) return [url]
  const [, before, hosts = '', after] = parts
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/**
 * Returns whether a URL leads to a Unix socket: its parameter `host` is a folder, or the folder is written in the place of the
 * host (PostgreSQL manual §34.1.1.2, "Connection URIs").
 */
export function leadsToSocket(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, searchParams } = new URL(url)
  return /^%2f/i.test(hostname) || searchParams.get('host')?.startsWith('/') === true
}

/**
 * Returns whether DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer: `?pgbouncer=true`, the
 * parameter that Prisma has for it.
 */
export const goesThroughPooler = (url: string): boolean => /[?&]pgbouncer=true(&|$)/.test(url)
