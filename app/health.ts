import type { RouteModule } from '#lib/front-door/endpoint'
import * as healthz from './healthz/route.ts'
import * as readyz from './readyz/route.ts'

/** What says whether a process serves, on both hosts and on the operator's listener; a process without pages has it too. */
export const health: Record<string, RouteModule> = { '/healthz': healthz, '/readyz': readyz }
