import { useTranslations } from 'next-intl'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { AliasForm } from './alias-form.tsx'
import type { ShownAlias } from './shown-alias.ts'

/** Sends a test message on the path that an app's mail takes. */
export function TestCard(shown: ShownAlias) {
  const t = useTranslations('hideMyEmail.test')
  const { alias, email } = shown
  return (
    <Card title={t('title')}>
      <p>{t.rich(alias.byHand ? 'whatByHand' : 'what', { app: alias.app?.name ?? '', email, address: richAddress })}</p>
      <AliasForm action="test" shown={shown}>
        <div>
          <Button type="submit" id="alias-test" look="secondary" busyText={t('busy')}>
            {t('send')}
          </Button>
        </div>
      </AliasForm>
    </Card>
  )
}
