import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Address } from '#app/_mail/address.tsx'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { Form } from '#app/_ui/form.tsx'
import { Tag } from '#app/_ui/tag.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { leftoverValue } from '#lib/sign-in/recovery/recovery-review'
import type { Leftover } from '#lib/sign-in/recovery/store'
import styles from './review.module.css'

/** Lists the credentials that still work; the ticked ones are removed. */
export function ReviewForm({ hiddenFields, leftovers, address }: ReviewFormProps) {
  const t = useTranslations('recover.review')
  return (
    <Form action="/recover/review/submit">
      <HiddenFields values={hiddenFields} />
      {leftovers.length > 0 && (
        <CheckboxList
          id="remove"
          legend={t('legend')}
          help={t('help')}
          items={leftovers.map((leftover) => ({
            value: leftoverValue(leftover),
            label: <LeftoverName leftover={leftover} />,
            help: <Facts leftover={leftover} />,
          }))}
        />
      )}
      {address !== undefined && (
        <p>{t.rich('address', { address, to: (text) => <Address>{text}</Address>, link: linkTo('/account/email') })}</p>
      )}
      <p>{t.rich('more', { apps: linkTo('/account/apps'), activity: linkTo('/account/activity') })}</p>
      <Actions stacked>
        <Button type="submit" id="review-submit" wide busyText={t('busy')}>
          {t('submit')}
        </Button>
      </Actions>
    </Form>
  )
}

function LeftoverName({ leftover }: { leftover: Leftover }) {
  const t = useTranslations('recover.review')
  if (leftover.kind !== 'passkey') return t(leftover.kind)
  return leftover.name ? t('passkey', { name: leftover.name }) : t('unnamed')
}

function Facts({ leftover }: { leftover: Leftover }) {
  const t = useTranslations('recover.review')
  const used = leftover.kind === 'passkey' ? leftover.lastUsedAt : undefined
  return (
    <span className={styles.facts}>
      <span>{t.rich('added', { time: () => <TimeAgo at={leftover.since} /> })}</span>
      {used && <span>{t.rich('used', { time: () => <TimeAgo at={used} /> })}</span>}
      {leftover.kind === 'codes' && <span>{t('codesWhat', { left: leftover.left })}</span>}
      {leftover.isNew && <Tag>{t('new')}</Tag>}
    </span>
  )
}

const linkTo = (href: string) => (text: ReactNode) => <a href={href}>{text}</a>

type ReviewFormProps = {
  hiddenFields: Record<string, string>
  leftovers: Leftover[]
  /** The address of the account, unless the recovery used it. */
  address: string | undefined
}
