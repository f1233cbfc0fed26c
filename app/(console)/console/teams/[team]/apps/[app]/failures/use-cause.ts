import { useFormatter, useTranslations } from 'next-intl'
import type { Explanation } from '#lib/console/failures/explain'

/** The values that the words of causes name. An older failure may lack some. */
const names = [
  ...['name', 'kid', 'known', 'alg', 'algs', 'scopes', 'granted', 'resource', 'api', 'aud', 'accepted', 'sent'],
  ...['methods', 'htm', 'method', 'htu', 'endpoint', 'typ', 'modes', 'most', 'status', 'problem', 'reason'],
] as const

/** Returns a function that says the cause of a failure in words. */
export function useCause(): (explanation: Explanation) => string {
  const t = useTranslations('consoleFailures')
  const duration = useLength()
  return ({ cause, values, seconds }) => {
    const shown = names.map((name) => [name, shownValue(values[name]) || t('none')])
    return t(`causes.${cause as 'other'}`, { ...Object.fromEntries(shown), time: duration(seconds ?? 0) })
  }
}

const shownValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value)

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Returns a function that formats a length of time in the largest unit of which there are at least two. */
function useLength(): (seconds: number) => string {
  const format = useFormatter()
  return (given) => {
    const seconds = Math.abs(given)
    const [unit, length] = units.find(([, one]) => seconds >= 2 * one) ?? (['second', 1] as const)
    const text = format.number(Math.round(seconds / length), { style: 'unit', unit, unitDisplay: 'long' })
    // CLDR leaves out the space in Simplified Chinese only.
    return text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')
  }
}
