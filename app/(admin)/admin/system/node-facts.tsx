import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Facts } from '#app/(admin)/admin/facts.tsx'
import { Moment } from '#app/(admin)/admin/moment.tsx'
import type { SystemState } from '#lib/admin/system'

/** Lists the processes of the installation, with their state, version, roles and clocks. */
export function NodeFacts({ nodes }: { nodes: SystemState['nodes'] }) {
  const t = useTranslations('admin.system')
  if (nodes.length === 0) return <p>{t('noNodes')}</p>
  return (
    <Facts
      facts={nodes.map((node) => [
        `${node.hostName} · ${node.pid} · ${node.id.slice(0, 4)}`,
        <span key={node.id}>
          {t.rich(node.isAlive ? (node.isDraining ? 'draining' : 'alive') : 'dead', {
            time: (() => <Moment at={node.startedAt} />) as () => ReactNode,
            seconds: node.silent,
          })}
          {' · '}
          <span translate="no">{`${node.version} · ${node.roles.join(', ')}`}</span>
          {' · '}
          {t('clock', { difference: signed(node.clockAhead) })}
        </span>,
      ])}
    />
  )
}

/** Without a sign for a difference below the precision. */
function signed(seconds: number): string {
  const text = Math.abs(seconds).toFixed(1)
  return text === '0.0' ? text : `${seconds > 0 ? '+' : '−'}${text}`
}
