import { useFormatter, useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'
import { Table } from '#app/_ui/table.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { MailRefusal } from '#lib/console/mail/app-mail'
import { type MailNumbers, mailDays } from '#lib/console/mail/mail-days'
import type { Messages } from '#lib/text/messages'

type Reason = keyof Messages['consoleMail']['reasons']

/** The numbers of messages, and the latest reasons of refusals; never a person or an address. */
export function MailReport({ numbers, refusals }: { numbers: MailNumbers; refusals: MailRefusal[] }) {
  const t = useTranslations('consoleMail')
  const format = useFormatter()
  const counts = ['forwarded', 'blocked', 'replied'] as const
  return (
    <>
      <Card title={t('numbers', { days: mailDays })}>
        <Table label={t('numbers', { days: mailDays })} head={[t('what'), t('count')]}>
          {counts.map((name) => (
            <tr key={name}>
              <th scope="row">{t(name)}</th>
              <td>{format.number(numbers[name])}</td>
            </tr>
          ))}
        </Table>
        <p>{t('numbersWhat')}</p>
      </Card>
      <Card title={t('refusals')}>
        {refusals.length === 0 ? (
          <p>{t('noRefusals')}</p>
        ) : (
          <Table label={t('refusals')} head={[t('reason'), t('answer'), t('count'), t('last')]}>
            {refusals.map(({ reason, code, results, count, lastAt }) => (
              <tr key={`${code} ${reason}`}>
                <td>
                  {t.has(`reasons.${reason as Reason}`) ? t(`reasons.${reason as Reason}`) : reason}
                  {results !== '' && (
                    <>
                      <br />
                      <code translate="no">{results}</code>
                    </>
                  )}
                </td>
                <td>
                  <code translate="no">{code}</code>
                </td>
                <td>{format.number(count)}</td>
                <td>
                  <TimeAgo at={lastAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Card>
    </>
  )
}
