import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Address } from '#app/_mail/address.tsx'
import { Day } from '#app/_ui/day.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { maskAddress } from '#lib/account/email/mask-address'
import type { UndoableChange } from '#lib/account/email/store'

/**
 * What was changed, and what an undo changes. The addresses are masked, and the account is not named: someone else may have
 * the link.
 */
export function WhatHappens({ change: { oldAddress, newAddress, changedAt } }: { change: UndoableChange }) {
  const t = useTranslations('undoEmail')
  const values = {
    old: maskAddress(oldAddress),
    new: maskAddress(newAddress),
    who: (text: ReactNode) => <Address>{text}</Address>,
    time: () => <Day at={changedAt} />,
  }
  return (
    <>
      <InteractionHeading title={t('heading')}>
        <p>{t.rich(newAddress === '' ? 'removed' : 'changed', values)}</p>
      </InteractionHeading>
      <p>{t('whatIf')}</p>
      <ul>
        <li>{t('back')}</li>
        <li>{t('signedOut')}</li>
        <li>{t('stays')}</li>
      </ul>
      <p>{t('proof')}</p>
    </>
  )
}
