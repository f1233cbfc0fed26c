import { useTranslations } from 'next-intl'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { AliasForm } from '#app/(account)/account/hide-my-email/[name]/alias-form.tsx'
import type { ShownAlias } from '#app/(account)/account/hide-my-email/[name]/shown-alias.ts'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import { consentMark } from '#lib/oauth/consent/consent'
import type { ConsentRecord } from '#lib/oauth/consent/store'

/** The address that the app receives, and the form that changes it. */
export function ChoiceCard({ consent, offersRelay, ...shown }: ChoiceCardProps) {
  const t = useTranslations('hideMyEmail.choice')
  const { app } = shown.alias
  if (!app || !consent || consent.emailChoice === 'none') return null
  const names = { app: app.name }
  const change = { shown, mark: consentMark(consent) }
  return (
    <Card title={t(`${consent.emailChoice}Title`, names)}>
      {consent.emailChoice === 'hidden' ? <ShareOwn {...change} /> : offersRelay && <HideOwn {...change} />}
      <p>
        <a href={appPage(app.id)}>{t('more', names)}</a>
      </p>
    </Card>
  )
}

type ChoiceCardProps = ShownAlias & { consent: ConsentRecord | undefined; offersRelay: boolean }
type Change = { shown: ShownAlias; mark: string }

/** Asks for confirmation first, because the app can keep an address after it has received it. */
function ShareOwn({ shown, mark }: Change) {
  const t = useTranslations('hideMyEmail.choice')
  const { alias, email } = shown
  const app = alias.app?.name ?? ''
  const confirm = (
    <AliasForm action="choice" shown={shown} fields={{ shown: mark, email_choice: 'regular' }}>
      <Button type="submit" id="alias-share" look="danger" busyText={t('shareBusy')}>
        {t('share')}
      </Button>
    </AliasForm>
  )
  return (
    <>
      <p>
        {t('hiddenWhat')}
        <SentenceSpace />
        {shown.state.kind !== 'off' && t('hiddenStays')}
      </p>
      <div>
        <Dialog id="alias-share-dialog" opener={t('open')} title={t('sure', { app })} confirm={confirm}>
          <p>{t.rich('learns', { app, email, address: richAddress })}</p>
        </Dialog>
      </div>
    </>
  )
}

function HideOwn({ shown, mark }: Change) {
  const t = useTranslations('hideMyEmail.choice')
  const app = shown.alias.app?.name ?? ''
  return (
    <>
      <p>{t('regularWhat', { app })}</p>
      {shown.state.kind === 'off' && <p>{t('regularOff', { app })}</p>}
      <AliasForm action="choice" shown={shown} fields={{ shown: mark, email_choice: 'hidden' }}>
        <div>
          <Button type="submit" id="alias-hide" look="secondary" busyText={t('hideBusy')}>
            {t('hide')}
          </Button>
        </div>
      </AliasForm>
    </>
  )
}
