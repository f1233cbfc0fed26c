import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import type { Api } from '#lib/oauth/client/api'
import type { AskedScope } from '#lib/oauth/consent/consent'

/** The scopes of each API that the app asks to use, under the name of the API (RFC 8707). */
export function ApiScopes({ app, apis, scopes, help, tagged }: ApiScopesProps) {
  const t = useTranslations('consent')
  return apis.map((api, index) => {
    const items = scopes
      .filter(({ name }) => api.scopes.includes(name))
      .map(({ name, isNew, chosen }) => ({
        name: 'scope',
        value: name,
        label: (
          <>
            <bdi translate="no">{name}</bdi>
            {tagged && isNew && <Tag>{t('new')}</Tag>}
          </>
        ),
        checked: chosen,
      }))
    if (items.length === 0) return null
    const legend = t('api', { app, api: api.name })
    return <CheckboxList key={api.identifier} id={`scope-of-api-${index}`} legend={legend} help={help} items={items} />
  })
}

type ApiScopesProps = {
  app: string
  apis: readonly Api[]
  scopes: AskedScope[]
  help: ReactNode
  /** Whether to mark new scopes. False when every shown scope is new, because the marks would say nothing. */
  tagged: boolean
}
