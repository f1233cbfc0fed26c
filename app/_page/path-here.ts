import { headers } from 'next/headers'

/** The path and query of the page that is shown, as the browser asked for it (proxy.ts). */
export const pathHere = async (): Promise<string> => (await headers()).get('x-path') ?? ''
