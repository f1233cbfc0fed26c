import * as securityTxt from '#app/.well-known/security.txt/route.ts'
import * as healthz from '#app/healthz/route.ts'
import * as readyz from '#app/readyz/route.ts'
import type { RouteModule } from '#lib/server/front-door/route-table'

/** The health endpoints, on both hosts and on the operator's listener, also in a process without pages. */
export const health: Record<string, RouteModule> = { '/healthz': healthz, '/readyz': readyz }

/** The addresses that both hosts serve. */
export const onBothHosts: Record<string, RouteModule> = { ...health, '/.well-known/security.txt': securityTxt }
