import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'

/** The button that downloads the relay addresses as CSV. */
export function ExportForm() {
  const t = useTranslations('hideMyEmail.export')
  return (
    <form method="post" action="/account/hide-my-email/export" data-file>
      <SessionToken />
      <Button type="submit" id="alias-export" look="secondary" icon={<Icon name="download" />} busyText={t('busy')}>
        {t('submit')}
      </Button>
    </form>
  )
}
