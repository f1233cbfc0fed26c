import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { AliasForm } from './alias-form.tsx'
import { type ShownAlias, waitsSwitchedOff } from './shown-alias.ts'

/**
 * Switches a relay address off and on. An address that is closed because sharing stopped can only be switched on; it
 * works once sharing starts again.
 */
export function SwitchCard(shown: ShownAlias) {
  const t = useTranslations('hideMyEmail.switch')
  const { app, disabledAt } = shown.alias
  if (!app || (shown.state.kind === 'closed' && !waitsSwitchedOff(shown))) return null
  const to = disabledAt ? 'on' : 'off'
  return (
    <Card title={t(`${to}Title`)}>
      {shown.state.kind !== 'closed' && <p>{t(`${to}What`, { app: app.name })}</p>}
      {to === 'off' && <p>{t('offStays')}</p>}
      <AliasForm action="switch" shown={shown} fields={{ to }}>
        <div>
          <Button type="submit" id="alias-switch" look={disabledAt ? 'primary' : 'secondary'} busyText={t(`${to}Busy`)}>
            {t(to)}
          </Button>
        </div>
      </AliasForm>
    </Card>
  )
}
