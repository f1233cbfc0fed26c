import { useTranslations } from 'next-intl'
import { inSentence, isWorded } from './worded-scopes.ts'

/** Returns the data that scopes grant, as a list in a sentence; omits `openid`. */
export function useScopeNames(scopes: readonly string[], emailChoice: string | undefined): string[] {
  const t = useTranslations('connections')
  const words = useTranslations('scopes')
  return scopes.flatMap((scope) => {
    if (scope === 'openid' || !isWorded(scope)) return []
    return [inSentence(scope === 'email' && emailChoice === 'hidden' ? t('relayAddress') : words(scope))]
  })
}
