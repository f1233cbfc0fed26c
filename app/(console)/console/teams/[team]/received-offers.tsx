import { useTranslations } from 'next-intl'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { offerPage } from '#lib/console/paths'
import type { AppOffer } from '#lib/console/transfer/store'

/** The apps that other teams offer to this team; each links to the page of its offer. */
export function ReceivedOffers({ offers }: { offers: AppOffer[] }) {
  const t = useTranslations('consoleTransfer.offer')
  return offers.map(({ id, app, from, to }) => (
    <Notice key={id} title={t('notice', { team: inOneLine(from.name), app: inOneLine(app.name) })}>
      <a href={offerPage(to.id, id)}>{t('look')}</a>
    </Notice>
  ))
}
