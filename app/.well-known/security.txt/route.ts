import { getContext } from '#lib/server/compose/process-context'
import { securityTxt } from '#lib/server/plain-page/security-txt'

/** On both hosts (RFC 9116 §3). */
export const GET = async () => securityTxt((await getContext()).config, new Date())
