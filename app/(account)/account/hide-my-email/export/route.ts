import { answerAliasExport } from '#lib/account/hide-my-email/export-aliases'
import { aliasAddress } from '#lib/relay/recipient/local-part'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => {
  const context = await getContext()
  return answerAliasExport(context, request, (name) => aliasAddress(name, context.config.relayDomain))
}
