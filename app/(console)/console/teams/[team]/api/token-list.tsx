import { useTranslations } from 'next-intl'
import { HiddenFields } from '#app/_mail/hidden-fields.tsx'
import rows from '#app/_ui/action-rows.module.css'
import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Day } from '#app/_ui/day.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SessionToken } from '#app/_ui/session-token.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { lastUse } from '#lib/console/last-use'
import type { RegistrationToken, TeamToken } from '#lib/console/tokens/store'

type Token = TeamToken | RegistrationToken

/** The live tokens of one kind, each with a form that revokes it. */
export function TokenList({ team, tokens, mayRevoke, kind }: TokenListProps) {
  const t = useTranslations('consoleApi')
  const isApi = kind === 'token'
  return (
    <Card title={t(isApi ? 'tokens' : 'registration')}>
      {!isApi && <p>{t('registrationWhat')}</p>}
      {tokens.length === 0 ? (
        <p>{t(isApi ? 'empty' : 'registrationEmpty')}</p>
      ) : (
        <ul className={rows.rows}>
          {tokens.map((token) => (
            <li key={token.id} className={rows.row}>
              <span className={rows.icon}>
                <Icon name="key" />
              </span>
              <div className={rows.words}>
                <h3 className={rows.title} id={`token-${token.id}`}>
                  <bdi translate="no">{token.name}</bdi>
                </h3>
                <Facts token={token} />
              </div>
              {mayRevoke && <Revocation team={team} token={token} kind={kind} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Facts({ token }: { token: Token }) {
  const t = useTranslations('consoleApi')
  const used = 'scopes' in token ? lastUse(token) : undefined
  return (
    <p className={rows.facts}>
      <span>{t('maker', { maker: token.maker })}</span>
      {'scopes' in token ? (
        <>
          <code translate="no">{token.scopes.join(' ')}</code>
          <span>{used ? t.rich('used', { time: () => <TimeAgo at={used} /> }) : t('unused')}</span>
        </>
      ) : (
        <>
          <code translate="no">{token.profile}</code>
          <span>{t('left', { count: token.remaining })}</span>
        </>
      )}
      <span>{t.rich('until', { time: () => <Day at={token.expiresAt} /> })}</span>
    </p>
  )
}

/** A plain form that works without script. The member opens it first, so it needs no further confirmation. */
function Revocation({ team, token: { id }, kind }: { team: string; token: Token; kind: TokenKind }) {
  const t = useTranslations('consoleApi')
  return (
    <details className={rows.edit}>
      <summary aria-describedby={`token-${id}`}>{t('revoke')}</summary>
      <form method="post" action={`/console/team/${kind}/revoke`} className={`${rows.form} ${rows.forms}`}>
        <SessionToken />
        <HiddenFields values={{ team, token: id }} />
        <p>{t(kind === 'token' ? 'revokeWhat' : 'revokeRegistrationWhat')}</p>
        <Button
          type="submit"
          look="danger"
          icon={<Icon name="trash" />}
          busyText={t('revoking')}
          aria-describedby={`token-${id}`}
        >
          {t('revoke')}
        </Button>
      </form>
    </details>
  )
}

type TokenKind = 'token' | 'registration-token'
type TokenListProps = { team: string; tokens: Token[]; mayRevoke: boolean; kind: TokenKind }
