import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { richAddress } from '#app/_mail/rich-address.tsx'
import { Card } from '#app/_ui/card.tsx'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { type ShownAlias, waitsSwitchedOff } from '#app/(account)/account/hide-my-email/[name]/shown-alias.ts'
import styles from '#app/(account)/account/hide-my-email/hide-my-email.module.css'
import { RelayAddress } from '#app/(account)/account/hide-my-email/relay-address.tsx'
import { SwitchableState } from '#app/(account)/account/hide-my-email/switchable-state.tsx'
import type { OwnAlias } from '#lib/account/hide-my-email/store'
import { aliasAddress } from '#lib/relay/recipient/local-part'

/** The address, whether its mail is forwarded, and its counts of mail. */
export function AliasCard({ relayDomain, ...shown }: ShownAlias & { relayDomain: string }) {
  const t = useTranslations('hideMyEmail')
  const { alias, state } = shown
  return (
    <Card title={t('address')}>
      <div className={styles.standing}>
        <RelayAddress id="relay-address" address={aliasAddress(alias.name, relayDomain)} />
        <SwitchableState id="alias-switch" alias={alias} state={state} />
      </div>
      <p>
        <Explanation {...shown} />
      </p>
      {waitsSwitchedOff(shown) && <p>{t('explain.closedOff', { app: alias.app?.name ?? '' })}</p>}
      <SwitchHelp {...shown} />
      <Facts {...shown} />
    </Card>
  )
}

function Explanation({ alias, state, email }: ShownAlias) {
  const t = useTranslations('hideMyEmail.explain')
  const app = alias.app?.name ?? ''
  switch (state.kind) {
    case 'on':
      return t.rich(onText(alias), { app, email, address: richAddress })
    case 'off':
      return t.rich('off', { time: () => <TimeAgo at={state.since} /> })
    case 'closed':
      return t(state.why, { app })
    case 'unbound':
    case 'paused':
      return t(state.kind)
  }
}

const onText = ({ byHand, emailChoice }: OwnAlias) =>
  byHand ? 'onByHand' : emailChoice === 'regular' ? 'onRegular' : 'on'

/** Says what the switch does before it is used. */
function SwitchHelp({ alias: { app, byHand, label, disabledAt }, state }: ShownAlias) {
  const t = useTranslations('hideMyEmail.switch')
  const name = byHand ? label : app?.name
  if (name === undefined || state.kind === 'closed') return null
  if (disabledAt) return <p>{t('onWhat')}</p>
  return (
    <p className={styles.help}>
      {t('offWhat', { app: name })}
      <SentenceSpace />
      {t('offStays')}
    </p>
  )
}

function Facts({ alias: { forwarded, blocked, replied, lastMailAt, since } }: ShownAlias) {
  const t = useTranslations('hideMyEmail.facts')
  const format = useFormatter()
  return (
    <dl className={styles.figures}>
      <Fact name={t('forwarded')}>{format.number(forwarded)}</Fact>
      <Fact name={t('blocked')}>{format.number(blocked)}</Fact>
      <Fact name={t('replied')}>{format.number(replied)}</Fact>
      <Fact name={t('lastMail')}>{lastMailAt ? <TimeAgo at={lastMailAt} /> : t('none')}</Fact>
      <Fact name={t('since')}>
        <TimeAgo at={since} />
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
