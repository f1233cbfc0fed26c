import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Ways } from '#lib/sign-in/second-factor/store'

/** The form that makes ten new codes, which replace the old ones. */
export function MakeCodes({ known }: { known: Ways['codes'] }) {
  const t = useTranslations('security.codes')
  return (
    <Card title={t('makeTitle')}>
      {known && <p>{t.rich('state', { left: known.left, time: () => <TimeAgo at={known.madeAt} /> })}</p>}
      <p>{t('makeWhat')}</p>
      <form method="post" action="/account/security/codes/make">
        <SessionToken />
        <Button type="submit" id="codes-make" busyText={t('busy')}>
          {t(known ? 'renew' : 'make')}
        </Button>
      </form>
    </Card>
  )
}
