import * as healthz from '#app/healthz/route.ts'
import * as readyz from '#app/readyz/route.ts'
import type { RouteModule } from '#lib/server/front-door/endpoint'

/** What says whether a process serves, on both hosts and on the operator's listener; a process without pages has it too. */
export const health: Record<string, RouteModule> = { '/healthz': healthz, '/readyz': readyz }
