import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Form } from '#app/_ui/form.tsx'
import type { TeamApp } from '#lib/console/app/store'
import type { Arrival } from '#lib/console/transfer/store'

/** The transfer by which the app came to the team, and the downloads of its map of identifiers. */
export function SubMap({ app, arrival, mayRead }: { app: TeamApp; arrival: Arrival; mayRead: boolean }) {
  const t = useTranslations('consoleTransfer.map')
  const { from, acceptedAt, settledAt, mapUntil } = arrival
  const came = { day: () => <Day at={acceptedAt} /> }
  return (
    <Card title={t('title')}>
      <p>{from === undefined ? t.rich('fromGone', came) : t.rich('from', { ...came, team: from })}</p>
      {!settledAt && <p>{t('preparing')}</p>}
      {settledAt && <p>{t.rich('what', { day: () => <Day at={mapUntil} /> })}</p>}
      {settledAt && mayRead && (
        <Form action="/console/app/sub-map" data-file>
          <HiddenFields values={{ team: app.teamId, app: app.id }} />
          <Actions>
            <Button type="submit" name="format" value="csv" look="secondary">
              {t('csv')}
            </Button>
            <Button type="submit" name="format" value="json" look="secondary">
              {t('json')}
            </Button>
          </Actions>
        </Form>
      )}
    </Card>
  )
}
