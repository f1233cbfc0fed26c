import type { Row } from './measure.ts'
import { frontDoor, plainNext } from './postern.ts'
import type { Server } from './server.ts'

/**
 * Measures the gain from the front door: the same route handlers, called directly and through Next's router (design
 * §1).
 */
export function discoveryRows(): Row[] {
  const contestants = [frontDoor, plainNext]
  return [
    { name: 'discovery through the router', contestants, workload: askDiscovery },
    { name: 'JWKS through the router', contestants, workload: askKeys },
  ]
}

export async function askDiscovery({ endpoints }: Server) {
  return { method: 'GET', path: endpoints.discovery, mustContain: '"issuer"' } as const
}

export async function askKeys({ endpoints }: Server) {
  return { method: 'GET', path: endpoints.jwks, mustContain: '"P-256"' } as const
}
