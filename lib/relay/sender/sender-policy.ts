import type { Checked, Evidence } from './sender-check.ts'

/**
 * Decides whether an app's mail is accepted (relay §3). An app with proven domains may send from these only; any
 * other app may send mail that SPF or DKIM authenticates. For both, a DMARC failure under `quarantine` or `reject`
 * refuses the mail. DNS failures defer the decision.
 */
export function judgeSender(checked: Checked, registered: string[]): SenderVerdict {
  if (checked.kind === 'local') return { kind: 'accepted', by: 'this machine' }
  const forbidden = judgeDmarc(checked)
  if (forbidden) return forbidden
  return registered.length > 0 ? judgeRegistered(checked, registered) : judgeOpen(checked)
}

/**
 * Decides whether mail to an address made by hand is accepted (relay §9): SPF or DKIM must pass in alignment with From,
 * whatever the policy of its domain, and without a DMARC record for exactly that domain.
 */
export function judgeStranger(checked: Checked): SenderVerdict {
  if (checked.kind === 'local') return { kind: 'accepted', by: 'this machine' }
  const { result, aligned, mayYetPass } = checked.dmarc
  if (result === 'pass') return { kind: 'accepted', by: 'dmarc' }
  if (result === 'none' && aligned.dkim) return { kind: 'accepted', by: 'dkim' }
  if (result === 'none' && aligned.spf) return { kind: 'accepted', by: 'spf' }
  const detail = detailOf(checked)
  if (result === 'no author') return { kind: 'refused', reason: 'no_author_domain', detail }
  return mayYetPass ? { kind: 'later', detail } : { kind: 'refused', reason: 'not_aligned', detail }
}

export type SenderVerdict =
  | { kind: 'accepted'; by: 'this machine' | 'dmarc' | 'spf' | 'dkim' }
  | { kind: 'later'; detail: SenderDetail }
  | { kind: 'refused'; reason: SenderRefusal; detail: SenderDetail }

export type SenderRefusal =
  /** The author's domain publishes `reject` or `quarantine`, and neither SPF nor DKIM passes in alignment. */
  | 'dmarc_failed'
  /** Neither SPF nor DKIM passes. */
  | 'nothing_passes'
  /** The app has proven domains, and the message is from none of them. */
  | 'not_registered'
  /** Neither SPF nor DKIM passes in alignment with From. */
  | 'not_aligned'
  /** From has no domain. */
  | 'no_author_domain'

/** The exact results for the app's developers: domains and results, no addresses. */
export type SenderDetail = {
  from: string
  client: string
  spf: string
  dkim: string[]
  dmarc: string
  /** The results without domains. */
  results: string
  registered?: string[]
}

/** Decides by DMARC alone; undefined when DMARC passes, the domain has no record, or its policy is `none`. */
function judgeDmarc(evidence: Evidence): SenderVerdict | undefined {
  const { result, policy, mayYetPass } = evidence.dmarc
  const detail = detailOf(evidence)
  switch (result) {
    case 'no author':
      return { kind: 'refused', reason: 'no_author_domain', detail }
    case 'temperror':
      return { kind: 'later', detail }
    case 'fail':
      if (policy === 'none') return undefined
      return mayYetPass ? { kind: 'later', detail } : { kind: 'refused', reason: 'dmarc_failed', detail }
    case 'pass':
    case 'none':
      return undefined
  }
}

function judgeOpen(evidence: Evidence): SenderVerdict {
  const { spf, dkim, dmarc } = evidence
  if (dmarc.result === 'pass') return { kind: 'accepted', by: 'dmarc' }
  if (spf.result === 'pass') return { kind: 'accepted', by: 'spf' }
  if (dkim.some(({ result }) => result === 'pass')) return { kind: 'accepted', by: 'dkim' }
  const detail = detailOf(evidence)
  const undecided = [spf, ...dkim].some(({ result }) => result === 'temperror')
  return undecided ? { kind: 'later', detail } : { kind: 'refused', reason: 'nothing_passes', detail }
}

/** A registered domain does not include its subdomains. */
function judgeRegistered(evidence: Evidence, registered: string[]): SenderVerdict {
  const { author, spf, dkim } = evidence
  const speaking = (wanted: string) => ({
    spf: spf.result === wanted && registered.includes(spf.domain),
    dkim: registered.includes(author) && dkim.some(({ result, domain }) => result === wanted && domain === author),
  })
  const passed = speaking('pass')
  if (passed.spf) return { kind: 'accepted', by: 'spf' }
  if (passed.dkim) return { kind: 'accepted', by: 'dkim' }
  const undecided = speaking('temperror')
  const detail = { ...detailOf(evidence), registered }
  return undecided.spf || undecided.dkim
    ? { kind: 'later', detail }
    : { kind: 'refused', reason: 'not_registered', detail }
}

function detailOf({ author, client, spf, dkim, dmarc }: Evidence): SenderDetail {
  const asked = dmarc.record === '' ? '' : ` (${dmarc.record} asks for ${dmarc.policy})`
  return {
    from: author,
    client,
    spf: `${spf.result} for ${spf.domain}`,
    dkim: dkim.map(({ result, domain, selector, why }) => `${result} for ${domain}, ${selector}${why && `: ${why}`}`),
    dmarc: `${dmarc.result}${asked}`,
    results: [`spf ${spf.result}`, ...dkim.map(({ result }) => `dkim ${result}`), `dmarc ${dmarc.result}`].join(', '),
  }
}
