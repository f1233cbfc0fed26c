import { useTranslations } from 'next-intl'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { ExportForm } from '#app/(account)/account/hide-my-email/export-form.tsx'

/** The form that downloads the person's data as a file. */
export function DownloadCard({ fresh, aliases }: { fresh: boolean; aliases: boolean }) {
  const t = useTranslations('data.download')
  return (
    <Card
      title={t('title')}
      actions={
        <>
          <form method="post" action="/account/data/download" data-file>
            <SessionToken />
            <Button
              type="submit"
              id="data-download"
              look="secondary"
              icon={<Icon name="download" />}
              busyText={t('busy')}
            >
              {t('submit')}
            </Button>
          </form>
          {aliases && <ExportForm />}
        </>
      }
    >
      <p>{t('what')}</p>
      {aliases && <p>{t('aliases')}</p>}
      <p>{t('private')}</p>
      {!fresh && <p>{t('fresh')}</p>}
    </Card>
  )
}
