import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { Form } from '#app/_ui/form.tsx'
import { PasskeyBox } from '#app/_ui/passkey-box.tsx'

/** Creates a passkey with this browser; needs a script. */
export function AddPasskey() {
  const t = useTranslations('security.passkeys')
  const box = useTranslations('passkeyBox')
  return (
    <Card title={t('addTitle')}>
      <p>{t('addWhat')}</p>
      <Form action="/account/security/passkeys/add">
        <PasskeyBox use="add" look="primary" label={t('addSubmit')} />
      </Form>
      <noscript>
        <p>{box('needsScript')}</p>
      </noscript>
    </Card>
  )
}
