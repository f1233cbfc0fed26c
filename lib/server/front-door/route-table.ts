import type { RouteModule } from './endpoint.ts'
import type { Routes } from './front-door.ts'

/** Looks paths up by their template, in which `{}` at the end stands for one segment. */
export function routeTable(routes: Record<string, RouteModule>): Routes {
  const exact = new Map(Object.entries(routes))
  return {
    find(path) {
      const module = exact.get(path)
      if (module) return { template: path, module }
      const template = `${path.slice(0, path.lastIndexOf('/') + 1)}{}`
      const open = path.endsWith('/') ? undefined : exact.get(template)
      return open && { template, module: open }
    },
  }
}
