import type { RouteModule } from '#lib/server/front-door/route-table'
import { endpointFolders, pageFolders, stepFolders, templateOf } from './paths.ts'

/** Loads every handler of the issuer's host and of the account host, by path template; Next renders the pages. */
export async function loadRoutes() {
  const [endpoints, steps] = await Promise.all([loadAll(endpointFolders), loadAll(stepFolders)])
  const pages: Record<string, RouteModule> = Object.fromEntries(pageFolders.map((folder) => [templateOf(folder), {}]))
  return { endpoints, steps, pages }
}

async function loadAll(folders: string[]): Promise<Record<string, RouteModule>> {
  const routes = folders.map(async (folder) => [templateOf(folder), await load(folder)] as const)
  return Object.fromEntries(await Promise.all(routes))
}

const load = async (folder: string): Promise<RouteModule> =>
  import(/* @vite-ignore */ new URL(`./${folder}/route.ts`, import.meta.url).href)
