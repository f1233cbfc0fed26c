import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { CodeList } from './code-list.tsx'

/** The new codes, until the person confirms that they are saved. */
export function NewCodes(shown: ComponentProps<typeof CodeList>) {
  const t = useTranslations('codes')
  const own = useTranslations('security.codes')
  return (
    <Card title={t('heading')}>
      <p>{t('why')}</p>
      <Notice kind="attention">{t('once')}</Notice>
      <CodeList {...shown} />
      <form method="post" action="/account/security/codes/kept">
        <SessionToken />
        <Button type="submit" id="codes-kept">
          {own('kept')}
        </Button>
      </form>
    </Card>
  )
}
