import type { AppKind } from '#lib/apps/app-fields'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'
import { expandBundle } from '#lib/oauth/scope'
import { by, type Check, type Grade, type HealthApp } from './check.ts'
import { type Rule, rules } from './rules.ts'
import { completed, isFrequent, percent, type Seen } from './seen.ts'

/** Sign-ins after which a scope that was never granted counts as unused. */
const enoughSignIns = 10

export function checkScopes({ scopes }: HealthApp, seen: Seen): Check {
  const all = { subject: 'scopes', page: 'settings' } as const
  const cited = [rules.leastPrivilege, rules.leastPrivilegeBcp, rules.leastPrivilegeFapi]
  if (completed(seen) < enoughSignIns)
    return { ...all, found: 'unseen', values: { least: enoughSignIns }, verdicts: by('unseen', ...cited) }
  const granted = expandBundle([...seen.scopes.keys()])
  const unused = scopes.filter((scope) => !isGranted(scope, granted))
  const values = { scopes: unused.join(', ') }
  return unused.length > 0
    ? { ...all, found: 'unused', values, verdicts: by('look', ...cited) }
    : { ...all, found: 'used', values, verdicts: by('good', ...cited) }
}

/** The bundle counts as granted if any of its scopes was. */
const isGranted = (scope: string, granted: readonly string[]) =>
  expandBundle([scope]).some((one) => granted.includes(one))

/** Undefined for an app that gets no refresh tokens. */
export function checkRefresh({ kind }: HealthApp, seen: Seen): Check | undefined {
  if (kind === 'public') return undefined
  const { refreshes, earlyRefreshes, repeatedRefreshes, replayedRefreshes } = seen
  const all = { subject: 'refresh', page: undefined } as const
  const cited = [rules.rotation, rules.rotationBcp]
  const values = { replays: replayedRefreshes, repeats: percent(repeatedRefreshes, refreshes) }
  const found = (name: string, grade: Grade): Check => ({ ...all, found: name, values, verdicts: by(grade, ...cited) })
  if (replayedRefreshes > 0) return found('replays', isOften(replayedRefreshes, refreshes) ? 'mend' : 'look')
  if (refreshes === 0) return found('unseen', 'unseen')
  if (isFrequent(repeatedRefreshes, refreshes)) return found('repeats', 'look')
  if (isFrequent(earlyRefreshes, refreshes) && earlyRefreshes > refreshes / 2) return found('early', 'look')
  return found('fine', 'good')
}

/** More than one replay in a hundred refreshes is no accident of a single browser or server. */
const isOften = (replays: number, refreshes: number) => replays >= 3 && replays > refreshes / 100

const isPkceRequired = ({ kind, profile }: HealthApp) =>
  profileOf(profile as ProfileName).pkceRequired.includes(kind as AppKind)

export function checkPkce(app: HealthApp, seen: Seen): Check {
  const recommended = app.kind === 'public' ? rules.challengePublic : rules.challengeRecommended
  const all = { subject: 'pkce', page: undefined } as const
  const values = { share: percent(seen.noPkce, completed(seen)) }
  if (isFrequent(seen.repeatedPkce, completed(seen)))
    return { ...all, found: 'repeated', values, verdicts: by('mend', rules.challengeFreshDraft, rules.challengeFresh) }
  const cited = [rules.challengeRequired, recommended, rules.challengeFapi]
  if (isPkceRequired(app)) return { ...all, found: 'required', values, verdicts: by('good', ...cited) }
  if (completed(seen) === 0) return { ...all, found: 'unseen', values, verdicts: by('unseen', ...cited) }
  if (seen.noPkce === 0) return { ...all, found: 'always', values, verdicts: by('good', ...cited) }
  const hasNonce = seen.nonce.absent === 0
  return {
    ...all,
    found: hasNonce ? 'nonce' : 'missing',
    values,
    verdicts: [
      ...by(hasNonce ? 'look' : 'mend', rules.challengeRequired, recommended),
      ...by('mend', rules.challengeFapi),
    ],
  }
}

/**
 * Checks `state` or `nonce`. Where PKCE or the other one protects each sign-in, an absent value is allowed, and a weak or
 * constant one is only worth a look (RFC 9700 §2.1).
 */
export function checkValue(subject: 'state' | 'nonce', app: HealthApp, seen: Seen): Check {
  const cited: Rule[] =
    subject === 'state' ? [rules.forgery, rules.forgeryBcp] : [rules.challengeFreshDraft, rules.challengeFresh]
  const numbers = seen[subject]
  const all = numbers.absent + numbers.repeated + numbers.weak + numbers.fair + numbers.strong
  const isProtected = isPkceRequired(app) || seen.noPkce === 0 || (subject === 'state' && seen.nonce.absent === 0)
  const found = (name: string, grade: Grade, count = 0): Check => ({
    subject,
    found: name,
    values: { name: subject, share: percent(count, all) },
    verdicts: by(grade, ...cited),
    page: undefined,
  })
  if (all === 0) return found('unseen', 'unseen')
  for (const fault of ['repeated', 'weak'] as const)
    if (isFrequent(numbers[fault], all)) return found(fault, isProtected ? 'look' : 'mend', numbers[fault])
  if (numbers.absent > 0) return found(isProtected ? 'spare' : 'absent', isProtected ? 'good' : 'mend', numbers.absent)
  if (isFrequent(numbers.fair, all)) return found('fair', isProtected ? 'good' : 'look', numbers.fair)
  return found('strong', 'good')
}
