import { useNow, useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { EventPages } from '#app/_ui/event-pages.tsx'
import { Table } from '#app/_ui/table.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { TeamApp } from '#lib/console/app/store'
import type { ShownEvent } from '#lib/console/events/store'
import { appPage } from '#lib/console/paths'
import { pathWith } from '#lib/http/redirect'

const columns = ['event', 'state', 'time', 'attempts', 'refusal'] as const

/** The events of the last two days, each with its state and the last refusal. */
export function EventList({ app, events, isFirstPage, isLastPage }: EventListProps) {
  const t = useTranslations('consoleEvents')
  const here = appPage(app.teamId, app.id, 'events')
  return (
    <Card title={t('list')}>
      <p>{t('listWhat')}</p>
      {events.length === 0 ? (
        <EmptyState icon="clock" title={t('empty')}>
          {t('emptyWhat')}
        </EmptyState>
      ) : (
        <Table label={t('list')} head={columns.map((column) => t(`columns.${column}`))}>
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </Table>
      )}
      <EventPages
        label={t('list')}
        {...(!isLastPage && { older: pathWith(here, { after: events.at(-1)?.id }) })}
        {...(!isFirstPage && { newest: here })}
      />
    </Card>
  )
}

function EventRow({ event }: { event: ShownEvent }) {
  const t = useTranslations('consoleEvents')
  const duration = useDuration()
  const { id, type, state, createdAt, triedAt, nextAt, attempts, refusal } = event
  const seconds = Math.max(0, Math.ceil((nextAt.getTime() - useNow().getTime()) / 1000))
  return (
    <tr>
      <th scope="row">
        {t(`types.${type}`)}
        <br />
        <code translate="no">{id}</code>
      </th>
      <td>
        <Tag good={state === 'delivered'}>{t(`states.${state}`)}</Tag>
        {state === 'waiting' && triedAt && (
          <>
            <br />
            {t('next', { time: duration(seconds) })}
          </>
        )}
      </td>
      <td>
        <TimeAgo at={createdAt} />
      </td>
      <td>{attempts}</td>
      <td>
        {/* Text of the receiver, which may be of any language and hostile. */}
        {refusal === '' ? t('noRefusal') : <bdi translate="no">{refusal}</bdi>}
      </td>
    </tr>
  )
}

type EventListProps = { app: TeamApp; events: ShownEvent[]; isFirstPage: boolean; isLastPage: boolean }
