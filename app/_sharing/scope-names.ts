import { useTranslations } from 'next-intl'
import { knownScopes } from '#lib/oauth/scope'
import { inSentence, isWorded } from './worded-scopes.ts'

/** Returns the data that scopes grant, as a list in a sentence; omits `openid`. A scope of an API is listed by its name. */
export function useScopeNames(scopes: readonly string[], emailChoice: string | undefined): string[] {
  const t = useTranslations('connections')
  const words = useTranslations('scopes')
  return scopes.flatMap((scope) => {
    if (!knownScopes.includes(scope)) return [scope]
    if (scope === 'openid' || !isWorded(scope)) return []
    return [inSentence(scope === 'email' && emailChoice === 'hidden' ? t('relayAddress') : words(scope))]
  })
}
