import type { DeclaredApp } from '#lib/apps/app-rules'
import type { KnownApp } from './known-app.ts'
import type { Plan, Step, Tools } from './provision-plan.ts'

/** Plans the new mail domains, each with its own proof; a stored domain keeps its proof (relay §3). */
export function planMailDomains(app: DeclaredApp, before: KnownApp | undefined, tools: Tools): Partial<Plan> {
  const { clientId, mailDomains, path } = app
  if (mailDomains === undefined) return {}
  const known = (before?.mailDomains ?? []).map(({ domain }) => domain)
  const fresh = mailDomains.filter((domain) => !known.includes(domain))
  const kept = known.filter((domain) => !mailDomains.includes(domain))
  const shown = `${path}.mail_domains: ${fresh.join(', ')} must be proven in DNS. The records are shown by: cli app mail ${clientId}`
  return {
    steps: fresh.map((domain) => domainStep(clientId, domain, tools)),
    notes: [...(fresh.length > 0 ? [shown] : []), ...kept.map((domain) => keptNote(app, domain))],
  }
}

function domainStep(appId: string, domain: string, { now, random, credentials }: Tools): Step {
  const proof = credentials.makeProof(random)
  return {
    change: { op: 'create', kind: 'domain', id: `${appId}/${domain}`, fields: [] },
    differences: [],
    write: (writer) => writer.mailDomain.create({ data: { appId, domain, proof, createdAt: now } }),
  }
}

const keptNote = ({ path, clientId }: DeclaredApp, domain: string) =>
  `${path}.mail_domains: ${domain} of ${clientId} is not listed and stays. Remove it with: cli app domain remove ${clientId} ${domain}`
